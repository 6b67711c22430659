"""A REST client that holds a key, as a script would."""

from __future__ import annotations

import json
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.corpora.accounts import service as accounts_service
from annotation.corpora.accounts.models import KeyScope, User
from tests import factories


class Rest:
    def __init__(self, user: User, scope: str = KeyScope.PAY) -> None:
        self.token, self.key = accounts_service.create_token(user=user, name="script", scope=scope)
        self.client = Client(headers={"Authorization": f"Bearer {self.key}"})
        self.client.raise_request_exception = False

    def __call__(self, method: str, path: str, data: Any = None, **options: Any) -> Any:
        """The response, with `.json()`; `path` is what follows the version."""
        body = b"" if data is None else json.dumps(data).encode()
        return self.client.generic(
            method, f"/api/v1{path}", body, content_type="application/json", **options
        )

    def get(self, path: str) -> Any:
        return self("GET", path)

    def post(self, path: str, data: Any = None) -> Any:
        return self("POST", path, data)

    def upload(self, path: str, *files: SimpleUploadedFile, **fields: str) -> Any:
        return self.client.post(f"/api/v1{path}", {"files": list(files), **fields})


def jsonl(*keys: str, name: str = "corpus.jsonl") -> SimpleUploadedFile:
    lines = [json.dumps(factories.example(key)) for key in keys]
    return SimpleUploadedFile(name, "\n".join(lines).encode())


def error_of(response: Any) -> tuple[int, str]:
    """Status and code; the body must have the one shape of all errors, and nothing else."""
    body = response.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "hint", "mend", "fields"}
    assert body["error"]["message"]
    assert response["Content-Type"] == "application/json"
    return response.status_code, body["error"]["code"]
