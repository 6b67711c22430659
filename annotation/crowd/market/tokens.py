"""UniqueRequestToken: what was asked for once under a token is not done a second time for a day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from annotation import clock
from annotation.crowd.market.errors import TurkError
from annotation.crowd.models import Requester, RequestToken

LIFE = timedelta(hours=24)


def claim_token(
    requester: Requester,
    operation: str,
    token: str | None,
    made: str,
    refuse: Callable[[str, str], TurkError],
) -> None:
    """Note that `made` comes of this token, in the transaction that makes it.

    A second call waits for the first, and is refused with what the first one made.
    """
    if not token:
        return
    row, is_new = RequestToken.objects.get_or_create(
        requester=requester, operation=operation, token=token, defaults={"made": made}
    )
    if is_new:
        return
    now = clock.now()
    stale = RequestToken.objects.filter(pk=row.pk, created_at__lte=now - LIFE)
    if not stale.update(made=made, created_at=now):
        raise refuse(token, row.made)


def drop_stale_tokens() -> None:
    RequestToken.objects.filter(created_at__lte=clock.now() - 2 * LIFE).delete()
