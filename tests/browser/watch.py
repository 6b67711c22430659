"""What no page may do, whatever a test looks at: the watch notes it, and the test fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import (
        BrowserContext,
        ConsoleMessage,
        Dialog,
        Request,
        Response,
        WebError,
    )

INSIDE = ("data:", "blob:", "about:")


class Watch:
    """Notes script errors, breaches of the CSP, dialogs, outside calls and server errors."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.faults: list[str] = []

    def follow(self, context: BrowserContext) -> None:
        context.on("console", self._note_console)
        context.on("weberror", self._note_error)
        context.on("dialog", self._note_dialog)
        context.on("request", self._note_request)
        context.on("response", self._note_response)

    def check(self) -> None:
        assert not self.faults, f"a page had faults: {self.faults}"

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and "Content Security Policy" in message.text:
            self.faults.append(message.text)

    def _note_error(self, error: WebError) -> None:
        self.faults.append(f"script error: {error.error}")

    def _note_dialog(self, dialog: Dialog) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _note_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.home}/", *INSIDE)):
            self.faults.append(f"call to another server: {request.url}")

    def _note_response(self, response: Response) -> None:
        if response.status >= 500:
            self.faults.append(f"{response.status} at {response.url}")
