"""The application that the web server loads: the product behind an event loop."""

from __future__ import annotations

import importlib
import logging

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.db import close_old_connections

from deploy import env
from deploy.web.bridge import ACCOUNT, Bridge
from deploy.web.environ import Environ
from deploy.write_gate import WriteGate
from deploy.wsgi import application as product

# Its models can only be loaded once the product is.
body_limit = importlib.import_module("annotation.body_limit")
logger = logging.getLogger("giza.web")


def find_limit(environ: Environ) -> int:
    """How much the sender of a request may send, asked before its body is read."""
    close_old_connections()
    try:
        request = WSGIRequest(environ)
        most = int(body_limit.most_bytes(request))
        environ[ACCOUNT] = body_limit.account_of(request)
        return most
    except Exception:
        # The database is away, for instance. The product says so when it answers.
        logger.exception("Who sends a large body could not be looked up")
        return int(body_limit.ANONYMOUS_BYTES)
    finally:
        close_old_connections()


threads = env.number("WEB_THREADS", 8, least=1, most=256)
WriteGate(threads).install()
application = Bridge(
    product,
    threads=threads,
    folder=settings.FILE_UPLOAD_TEMP_DIR,
    everybody=body_limit.ANONYMOUS_BYTES,
    find_limit=find_limit,
    unread=body_limit.UNREAD,
)
