"""Form fields of the crowd: lengths of time as people write them, dollars, countries."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from annotation.crowd.countries import country_codes
from annotation.translation import gettext as _

UNITS = {"d": 86_400, "h": 3600, "min": 60, "s": 1}
_NAMES = {"day": "d", "days": "d", "hour": "h", "hours": "h", "hr": "h", "m": "min"}
_NAMES |= {"minute": "min", "minutes": "min", "mins": "min", "sec": "s", "second": "s"}
_NAMES |= {"seconds": "s", **{name: name for name in UNITS}}
_SPAN = re.compile(r"\s*(\d{1,9})\s*([a-z]+)\s*")


class SpanField(forms.CharField):
    """A length of time such as `7 d`, `90 min` or `45 s`, in seconds."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if text in self.empty_values:
            return None
        found = _SPAN.fullmatch(str(text).lower())
        unit = _NAMES.get(found[2]) if found else None
        if found is None or unit is None:
            raise ValidationError(
                _("Enter a time such as 7 d, 3 h, 90 min or 45 s, not {text!r}.").format(text=text)
            )
        return int(found[1]) * UNITS[unit]

    def prepare_value(self, value: Any) -> Any:
        """The largest unit that leaves no rest, so that nothing is lost by saving."""
        if not isinstance(value, int):
            return value
        unit = next(name for name, length in UNITS.items() if value % length == 0)
        return f"{value // UNITS[unit]} {unit}" if value else _("0 min")


class DollarField(forms.DecimalField):
    """Whole cents; what is stored finer is shown without its trailing zeros."""

    def __init__(self, **options: Any) -> None:
        options = {"min_value": 0, "max_digits": 10, "decimal_places": 2, **options}
        super().__init__(**options)

    def prepare_value(self, value: Any) -> Any:
        return f"{value:.2f}" if isinstance(value, Decimal) else value


class CountryField(forms.CharField):
    """Countries by their two letters, as a list."""

    def to_python(self, value: Any) -> Any:
        codes = re.split(r"[\s,;]+", str(value or "").upper().strip())
        wrong = [code for code in codes if code and code not in country_codes()]
        if wrong:
            raise ValidationError(
                _("'{wrong}' is not an ISO 3166 country code, such as US or GB.").format(
                    wrong=wrong[0]
                )
            )
        return [code for code in codes if code]

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value


class KeysField(forms.CharField):
    """Names one a line, as a list without repetitions."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> Any:
        lines = (line.strip() for line in str(value or "").splitlines())
        return list(dict.fromkeys(line for line in lines if line))

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value
