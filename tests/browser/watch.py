"""What no page may do, whatever a test looks at: the watch notes it, and the test fails."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Request, WebError

# What the console says of a breach of the policy, and of an answer that tells of a fault.
TELLING = re.compile("Content Security Policy|responded with a status of 5")


class Watch:
    """Notes script errors, breaches of the CSP, dialogs, outside calls and server errors.

    Answers are not listened to one by one, which takes an eighth of a browser's time: the console
    tells of those that failed, and no call to another server succeeds.
    """

    def __init__(self, home: str) -> None:
        self.home = home
        self.faults: list[str] = []

    def follow(self, context: BrowserContext) -> None:
        context.on("console", self._note_console)
        context.on("weberror", self._note_error)
        context.on("dialog", self._note_dialog)
        context.on("requestfailed", self._note_failure)

    def check(self) -> None:
        assert not self.faults, f"a page had faults: {self.faults}"

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and TELLING.search(message.text):
            self.faults.append(f"{message.text} at {message.location['url']}")

    def _note_error(self, error: WebError) -> None:
        self.faults.append(f"script error: {error.error}")

    def _note_dialog(self, dialog: Dialog) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _note_failure(self, request: Request) -> None:
        if request.url.startswith("http") and not request.url.startswith(f"{self.home}/"):
            self.faults.append(f"call to another server: {request.url}")
