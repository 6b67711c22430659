"""Amounts of money on the command line."""

from __future__ import annotations

from argparse import ArgumentTypeError
from decimal import Decimal, InvalidOperation

from annotation.translation import gettext as _


def read_dollars(text: str) -> Decimal:
    try:
        amount = Decimal(text)
        is_whole_cents = amount == amount.quantize(Decimal("0.01"))
    except InvalidOperation:
        is_whole_cents = False
    if not is_whole_cents or amount < 0:
        raise ArgumentTypeError(
            _("'{text}' is not an amount of dollars, such as 12.50").format(text=text)
        )
    return amount
