"""A mail server on loopback, small but real: it speaks SMTP over a socket and keeps what it got."""

from __future__ import annotations

import email
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage


@dataclass
class Mailbox:
    """What came in; `refuse` answers a command with a line of its own, `hang_up` cuts it short."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    refuse: dict[str, str] = field(default_factory=dict)
    hang_up: bool = False


class _Session(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        self._say("220 ready")
        while line := self.rfile.readline().decode().strip():
            command = line.partition(" ")[0].upper()
            if command == "QUIT":
                self._say("221 bye")
                return
            if not self._answer(command, line):
                return

    def _answer(self, command: str, line: str) -> bool:
        """False where the line goes dead."""
        box = self.server.box
        if command in box.refuse:
            self._say(box.refuse[command])
        elif command == "DATA":
            return self._take_mail()
        elif command == "RCPT":
            box.recipients.append(line.partition("<")[2].partition(">")[0])
            self._say("250 ok")
        else:
            self._say("250 ok")
        return True

    def _take_mail(self) -> bool:
        self._say("354 go on")
        lines = iter(self.rfile.readline, b".\r\n")
        # A line that begins with a dot was sent with two.
        text = b"".join(line[1:] if line.startswith(b".") else line for line in lines)
        self.server.box.mails.append(email.message_from_bytes(text, policy=policy.default))
        if self.server.box.hang_up:
            return False
        self._say("250 kept")
        return True

    def _say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, box: Mailbox) -> None:
        self.box = box
        super().__init__(("127.0.0.1", 0), _Session)


@contextmanager
def mail_server() -> Iterator[Mailbox]:
    box = Mailbox()
    with _Server(box) as server:
        box.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield box
        finally:
            server.shutdown()
            thread.join()
