"""What every page for workers begins with: somebody signed in who is a worker."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare

from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.rows import read_worker

P = ParamSpec("P")
WorkerView = Callable[Concatenate[HttpRequest, WorkerAccount, P], HttpResponseBase]
OWN_BACKEND = "django.contrib.auth.backends.ModelBackend"


def worker_view(view: WorkerView[P]) -> Callable[..., HttpResponseBase]:
    """Sign-in first; somebody who isn't a worker yet may become one."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        worker = _find_by_session(request) or _find_by_user(request)
        if worker is not None:
            return view(request, worker, *args, **kwargs)
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return redirect("crowd:work_join")

    return checked


def _find_by_session(request: HttpRequest) -> WorkerAccount | None:
    """Worker and account in one query, if the session is beyond doubt; any other goes the long way.

    The checks are those of `django.contrib.auth.get_user`, which reads the account alone.
    """
    user_id = request.session.get(SESSION_KEY, "")
    if not user_id.isdecimal() or request.session.get(BACKEND_SESSION_KEY) != OWN_BACKEND:
        return None
    worker = read_worker(int(user_id))
    if worker is None or not worker.user.is_active:
        return None
    hash_ = request.session.get(HASH_SESSION_KEY, "")
    if not constant_time_compare(hash_, worker.user.get_session_auth_hash()):
        return None
    # `request.user`, if somebody asks for it, is the one that was read.
    request._cached_user = worker.user  # type: ignore[attr-defined]
    return worker


def _find_by_user(request: HttpRequest) -> WorkerAccount | None:
    return read_worker(request.user.pk) if request.user.is_authenticated else None
