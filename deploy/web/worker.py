"""The process of the web server: gunicorn forks it and replaces it, uvicorn runs its loop."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from uvicorn_worker import UvicornWorker

from deploy.web.protocol import MOST_HEADER_BYTES, GuardedProtocol, cut_off_late


class Worker(UvicornWorker):
    CONFIG_KWARGS: ClassVar[dict[str, Any]] = {
        "loop": "asyncio",
        "http": GuardedProtocol,
        "ws": "none",
        "lifespan": "off",
        "interface": "asgi3",
        "h11_max_incomplete_event_size": MOST_HEADER_BYTES,
        # Who called is what the product decides by PROXIES; here a header is only a header.
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
        # Less than gunicorn's own patience with its processes.
        "timeout_graceful_shutdown": 7,
        "timeout_notify": 1,
    }

    def init_process(self) -> None:
        GuardedProtocol.is_behind_proxy = settings.PROXIES > 0
        super().init_process()

    async def callback_notify(self) -> None:
        await super().callback_notify()
        cut_off_late()
