"""A webhook and a mail server that drip a byte every three seconds, on the product as it runs."""

from __future__ import annotations

import json
import time
from pathlib import Path

from tests.dripping import BEGINNINGS, HEAD, dripping
from tests.servers import Product, wait_until

# Sweeps come every second here.
BOUND = 15.0
SET_UP = """
import json
from datetime import timedelta
from django.utils import timezone
from annotation.corpora.models import MailState, Notification, NotificationKind
from annotation.crowd.market.deliveries import enqueue
from annotation.crowd.models import MarketAssignment
from tests import factories
from tests.annotation.crowd.market.requesting import make_hit, make_requester, work
from tests.annotation.crowd.working import make_worker
lab = make_requester()
enqueue(lab.pk, {"Destination": %r}, "Ping")
owner = factories.make_user("Owner")
Notification.objects.create(
    user=owner, kind=NotificationKind.MEMBERS, key="k", text="Welcome", mail=MailState.DUE
)
taken = work(make_hit(lab), make_worker())
print(json.dumps(taken.pk))
"""
OVERDUE = """
from datetime import timedelta
from django.utils import timezone
from annotation.crowd.models import MarketAssignment
past = timezone.now() - timedelta(minutes=1)
MarketAssignment.objects.filter(pk=%d).update(auto_approve_at=past)
"""
STATUS = """
from annotation.crowd.models import MarketAssignment, Webhook
print(MarketAssignment.objects.get(pk=%d).status, Webhook.objects.get().failures)
"""


def shell(product: Product, code: str) -> str:
    return product.manage("shell", "-v0", "-c", code).splitlines()[-1]


def test_a_worker_is_paid_while_deliveries_hang(tmp_path: Path, prepared: Product):
    with dripping(HEAD, pause=3) as hook, dripping(BEGINNINGS["greeting"], pause=3) as post:
        product = prepared.copy_to(
            tmp_path / "data",
            JOB_SWEEP_SECONDS=1,
            MARKET_WEBHOOK_PRIVATE=1,
            EMAIL_URL=f"smtp://127.0.0.1:{post.port}",
            EMAIL_FROM="giza@example.org",
        )
        taken = json.loads(shell(product, SET_UP % hook.url))
        product.start()
        try:
            wait_until(lambda: bool(hook.calls and post.calls), "both deliveries have begun")
            product.manage("shell", "-v0", "-c", OVERDUE % taken)
            began = time.monotonic()
            wait_until(lambda: "Approved" in shell(product, STATUS % taken), "the worker is paid")
            assert time.monotonic() - began < BOUND
            wait_until(lambda: "Approved 1" in shell(product, STATUS % taken), "it is cut off")
            assert hook.calls == 1
        finally:
            product.stop()
