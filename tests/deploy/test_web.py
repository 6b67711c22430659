"""The way from the event loop to the product and back, without a network."""

from __future__ import annotations

import asyncio
import contextlib
import io
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import h11
import pytest

from deploy.web import bridge, intake, outbox
from deploy.web.bridge import Bridge
from deploy.web.environ import Environ, environ_of
from deploy.web.pace import GRACE_SECONDS, LEAST_RATE, LONGEST_SILENCE, Pace
from deploy.web.protocol import FREE_CHUNKS, LEAST_CHUNK, CountingConnection
from tests.disks import Disk

SCOPE: dict[str, Any] = {
    "type": "http",
    "http_version": "1.1",
    "method": "POST",
    "scheme": "http",
    "raw_path": b"/caf%C3%A9",
    "query_string": b"a=1",
    "headers": [],
    "server": ("127.0.0.1", 8000),
    "client": ("10.0.0.1", 4711),
}


class Client:
    """What a server gives an application: pieces of a body, then silence; and what it gets."""

    def __init__(self, *pieces: bytes, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
        self.is_cut_off = False
        self.sent: list[dict[str, Any]] = []
        self.asked = 0
        self._pieces = list(pieces or [b""])
        self.scope = {**SCOPE, "headers": list(headers), bridge.CUT_OFF: self.cut_off}

    async def receive(self) -> dict[str, Any]:
        self.asked += 1
        if not self._pieces:
            await asyncio.sleep(3600)
        piece = self._pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(self._pieces)}

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    def cut_off(self) -> None:
        self.is_cut_off = True

    def visit(self, application: Bridge) -> None:
        asyncio.run(application(self.scope, self.receive, self.send))

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent)

    @property
    def is_ended(self) -> bool:
        return bool(self.sent) and not self.sent[-1].get("more_body", False)


def echo(environ: Environ, start: Any) -> list[bytes]:
    start("200 OK", [("Content-Type", "text/plain"), ("Set-Cookie", " a=1")])
    if environ["unread"]:
        return [b"unread"]
    return [environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))]


def make(application: Any, folder: Path, *, most: int = 10, known: int = 20) -> Bridge:
    return Bridge(
        application,
        threads=2,
        folder=folder,
        everybody=most,
        find_limit=lambda environ: known if "HTTP_KEY" in environ else most,
        unread="unread",
    )


def test_it_passes_bodies_and_answers_on(tmp_path: Path) -> None:
    client = Client(b"one ", b"two")
    client.visit(make(echo, tmp_path))
    assert (client.status, client.body, client.is_ended) == (200, b"one two", True)
    assert (b"Set-Cookie", b"a=1") in client.sent[0]["headers"]


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize(
    ("size", "is_known", "is_read"),
    [(10, False, True), (11, False, False), (11, True, True), (20, True, True), (21, True, False)],
)
def test_it_reads_as_much_as_the_sender_may_send(
    tmp_path: Path, announced: bool, size: int, is_known: bool, is_read: bool
) -> None:
    headers = [(b"content-length", str(size).encode())] if announced else []
    headers += [(b"key", b"1")] if is_known else []
    client = Client(*[b"x"] * size, headers=headers)
    client.visit(make(echo, tmp_path))
    assert client.body == (b"x" * size if is_read else b"unread")
    if announced and not is_read:
        assert client.asked == 0, "the client waits for a word before it sends"


def test_the_product_learns_that_the_disk_is_full(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And says so in the shape that the sender reads."""

    def why(environ: Environ, start: Any) -> Iterator[bytes]:
        start("503 Service Unavailable", [])
        yield environ["unread"].encode()

    monkeypatch.setattr(intake, "IN_MEMORY", 4)
    disk.fill()
    client = Client(b"1234", b"5" * 2**20)
    client.visit(make(why, disk.folder, most=2**21))
    assert (client.status, client.body) == (503, b"no room")


def test_an_answer_that_breaks_off_does_not_look_whole(tmp_path: Path) -> None:
    def broken(environ: Environ, start: Any) -> Iterator[bytes]:
        start("200 OK", [])
        yield b"half"
        raise ValueError("of a test")

    client = Client()
    client.visit(make(broken, tmp_path))
    assert client.is_cut_off
    assert not client.is_ended


def test_it_ends_an_answer_that_nobody_reads(tmp_path: Path, monkeypatch: Any) -> None:
    closed = threading.Event()

    def endless(environ: Environ, start: Any) -> Iterator[bytes]:
        start("200 OK", [])
        try:
            while True:
                yield b"x" * 1000
        finally:
            closed.set()

    class Reader(Client):
        async def send(self, message: dict[str, Any]) -> None:
            if message.get("body"):
                await asyncio.sleep(3600)

    monkeypatch.setattr("deploy.web.pace.GRACE_SECONDS", 0.2)
    monkeypatch.setattr(outbox, "LONGEST_WAIT", 0.2)
    client = Reader()
    client.visit(make(endless, tmp_path))
    assert closed.is_set()
    assert client.is_cut_off


def test_a_body_that_does_not_come_is_answered(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("deploy.web.pace.GRACE_SECONDS", 0.2)

    class Silent(Client):
        async def receive(self) -> dict[str, Any]:
            await asyncio.sleep(3600)
            raise AssertionError

    client = Silent()
    client.visit(make(echo, tmp_path))
    assert client.status == 408
    assert (b"connection", b"close") in client.sent[0]["headers"]


@pytest.mark.parametrize(("method", "runs"), [("GET", 0), ("POST", 1)])
def test_a_page_is_not_made_for_somebody_who_left(tmp_path: Path, method: str, runs: int) -> None:
    """While all threads were busy. What changes something is done all the same."""
    made: list[str] = []
    release = threading.Event()

    def busy(environ: Environ, start: Any) -> list[bytes]:
        start("200 OK", [])
        release.wait(30)
        made.append(environ["REQUEST_METHOD"])
        return [b"made"]

    class Leaver(Client):
        async def receive(self) -> dict[str, Any]:
            if not self.asked:
                return await super().receive()
            return {"type": "http.disconnect"}

    application = make(busy, tmp_path)

    async def visit() -> None:
        first, second = Client(), Client()
        waiting = [
            asyncio.create_task(application(one.scope, one.receive, one.send))
            for one in (first, second)
        ]
        await asyncio.sleep(0.2)
        leaver = Leaver()
        leaver.scope["method"] = method
        left = asyncio.create_task(application(leaver.scope, leaver.receive, leaver.send))
        await asyncio.sleep(0.2)
        release.set()
        await asyncio.gather(*waiting, left)

    asyncio.run(visit())
    assert made[2:] == [method] * runs


def test_headers_that_pass_for_others_are_left_out(tmp_path: Path) -> None:
    headers = [
        (b"x-forwarded-for", b"10.0.0.9"),
        (b"x_forwarded_for", b"127.0.0.1"),
        (b"content_length", b"0"),
        (b"cookie", b"a=1"),
        (b"cookie", b"b=2"),
        (b"accept", b"a"),
        (b"accept", b"b"),
    ]
    with (tmp_path / "body").open("wb+") as body:
        environ = environ_of({**SCOPE, "headers": headers}, body)
    assert environ["HTTP_X_FORWARDED_FOR"] == "10.0.0.9"
    assert "CONTENT_LENGTH" not in environ
    assert environ["HTTP_COOKIE"] == "a=1; b=2"
    assert environ["HTTP_ACCEPT"] == "a,b"
    assert environ["REMOTE_ADDR"] == "10.0.0.1"
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/café"


@pytest.mark.parametrize(
    ("raw", "path"), [(b"http://example.org/a?", "/a"), (b"*", "*"), (b"/a%2Fb", "/a/b")]
)
def test_it_reads_every_form_of_a_target(tmp_path: Path, raw: bytes, path: str) -> None:
    with (tmp_path / "body").open("wb+") as body:
        assert environ_of({**SCOPE, "raw_path": raw}, body)["PATH_INFO"] == path


def test_a_target_that_is_no_address_is_refused(tmp_path: Path, caplog: Any) -> None:
    client = Client()
    client.scope["raw_path"] = b"http://["
    client.visit(make(echo, tmp_path))
    assert client.status == 400
    assert [record.exc_info for record in caplog.records] == [None]


def test_a_path_cannot_forge_lines_of_the_log(tmp_path: Path, caplog: Any) -> None:
    def broken(environ: Environ, start: Any) -> list[bytes]:
        raise ValueError("of a test")

    client = Client()
    client.scope["raw_path"] = b"/a%0A2026-01-01%20ERROR%20forged" + b"x" * 5000
    client.visit(make(broken, tmp_path))
    (line,) = [record.getMessage() for record in caplog.records]
    assert "\n" not in line
    assert len(line) < 300


def test_beyond_a_bound_nothing_more_waits_for_a_thread(tmp_path: Path) -> None:
    release = threading.Event()

    def busy(environ: Environ, start: Any) -> list[bytes]:
        release.wait(30)
        start("200 OK", [])
        return [b"made"]

    async def visit() -> list[Client]:
        application = make(busy, tmp_path)
        clients = [Client() for _ in range(2 * (bridge.QUEUE + 1) + 1)]
        tasks = [
            asyncio.create_task(application(one.scope, one.receive, one.send)) for one in clients
        ]
        await asyncio.sleep(0.5)
        release.set()
        await asyncio.gather(*tasks)
        again = Client()
        await application(again.scope, again.receive, again.send)
        return [*clients, again]

    *served, refused, again = asyncio.run(visit())
    assert {one.status for one in served} == {200}
    assert refused.status == 503
    assert (b"retry-after", b"5") in refused.sent[0]["headers"]
    assert again.status == 200


def chunked(*sizes: int) -> list[Any]:
    """What the connection makes of a body in such chunks."""
    connection = CountingConnection(h11.SERVER)
    connection.receive_data(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    for size in sizes:
        connection.receive_data(b"%x\r\n%s\r\n" % (size, b"x" * size))
    connection.receive_data(b"0\r\n\r\n")
    events = []
    while not isinstance(event := connection.next_event(), h11.EndOfMessage):
        events.append(event)
    return events


def test_a_body_in_tiny_chunks_is_refused() -> None:
    with pytest.raises(h11.RemoteProtocolError, match="too small"):
        chunked(*[1] * 1000)
    assert len(chunked(*[1] * FREE_CHUNKS)) == FREE_CHUNKS + 1
    assert len(chunked(*[LEAST_CHUNK] * 1000)) == 1001


def test_an_account_sends_only_so_much_at_a_time(tmp_path: Path) -> None:
    def find(environ: Environ) -> int:
        environ[bridge.ACCOUNT] = environ["HTTP_KEY"]
        return 20

    class Sender(Client):
        """Announces all it may send, and sends it when it is told to."""

        async def receive(self) -> dict[str, Any]:
            await go_on.wait()
            return await super().receive()

    go_on = asyncio.Event()

    def sender(key: bytes, kind: type[Client] = Sender) -> Client:
        return kind(b"x" * 20, headers=[(b"content-length", b"20"), (b"key", key)])

    async def visit() -> list[Client]:
        application = make(echo, tmp_path)
        application._find_limit = find
        clients = [sender(b"one"), sender(b"one"), sender(b"one"), sender(b"two")]
        tasks = []
        for one in clients:
            visit = application(one.scope, one.receive, one.send)
            tasks.append(asyncio.create_task(visit))
            await asyncio.sleep(0.1)
        go_on.set()
        await asyncio.gather(*tasks)
        again = sender(b"one", Client)
        await application(again.scope, again.receive, again.send)
        assert not application._intake.accounts
        return [*clients, again]

    assert [one.status for one in asyncio.run(visit())] == [200, 200, 503, 200, 200]


class Dripping(Client):
    """Sends its first piece, and the rest when it is told to; or nothing once it is cut off."""

    def __init__(self, *pieces: bytes, go_on: asyncio.Event) -> None:
        super().__init__(*pieces)
        self._go_on = go_on
        self._gone = asyncio.Event()

    def cut_off(self) -> None:
        super().cut_off()
        self._gone.set()

    async def receive(self) -> dict[str, Any]:
        if self.asked and self._pieces:
            waits = [asyncio.ensure_future(one.wait()) for one in (self._go_on, self._gone)]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        return {"type": "http.disconnect"} if self._gone.is_set() else await super().receive()


def visit_in_turn(application: Bridge, clients: list[Any], go_on: asyncio.Event) -> None:
    async def visit() -> None:
        tasks = []
        for one in clients:
            coming = application(one.scope, one.receive, one.send)
            tasks.append(asyncio.create_task(coming))
            await asyncio.sleep(0.05)
        go_on.set()
        await asyncio.gather(*tasks)

    asyncio.run(visit())


def test_strangers_together_send_only_so_much_at_a_time(tmp_path: Path) -> None:
    """The body that takes longest makes room; a form that is sent at once always passes."""
    go_on = asyncio.Event()
    application = make(echo, tmp_path)
    application._intake = room = intake.Intake(strangers=26)
    slow = [Dripping(b"x" * 8, b"y", go_on=go_on) for _ in range(4)]
    quick = Client(b"z" * 10)
    visit_in_turn(application, [*slow, quick], go_on)
    assert [one.is_cut_off for one in slow] == [True, True, False, False]
    assert [one.status for one in slow[2:]] == [200, 200]
    assert quick.body == b"z" * 10
    assert (room.strangers, room.arriving) == (26, {})


def test_strangers_wait_while_all_that_came_is_being_answered(tmp_path: Path) -> None:
    release, go_on = threading.Event(), asyncio.Event()

    def busy(environ: Environ, start: Any) -> list[bytes]:
        release.wait(30)
        return echo(environ, start)

    class Last(Client):
        async def send(self, message: dict[str, Any]) -> None:
            await super().send(message)
            release.set()

    application = make(busy, tmp_path)
    application._intake = room = intake.Intake(strangers=25)
    first, second, last = Client(b"x" * 10), Client(b"x" * 10), Last(b"x" * 10)
    visit_in_turn(application, [first, second, last], go_on)
    assert [first.status, second.status, last.status] == [200, 200, 503]
    assert (b"retry-after", b"5") in last.sent[0]["headers"]
    assert room.strangers == 25


def test_bodies_take_only_so_much_memory_of_a_process(tmp_path: Path) -> None:
    places: list[bool] = []
    go_on = asyncio.Event()

    def look(environ: Environ, start: Any) -> list[bytes]:
        places.append(environ["wsgi.input"]._rolled)
        return echo(environ, start)

    application = make(look, tmp_path)
    application._intake = room = intake.Intake(memory=20)
    clients = [Dripping(b"x" * 8, b"y" * 2, go_on=go_on) for _ in range(5)]
    visit_in_turn(application, clients, go_on)
    assert sorted(places) == [False, False, True, True, True]
    assert {one.body for one in clients} == {b"x" * 8 + b"y" * 2}
    assert room.memory == 20


def test_some_of_the_disk_stays_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "IN_MEMORY", 4)
    usage = SimpleNamespace(total=2**40, free=bridge.LEAST_FREE + 10)
    monkeypatch.setattr(bridge.shutil, "disk_usage", lambda _: usage)
    for size, body in ((10, b"x" * 10), (11, b"unread")):
        client = Client(b"x" * size)
        client.visit(make(echo, tmp_path, most=20))
        assert client.body == body


def test_the_pace_is_measured_over_all_that_came() -> None:
    pace = Pace()
    assert pace.seconds_left(0) == pytest.approx(GRACE_SECONDS, abs=1)
    assert pace.seconds_left(10 * LEAST_RATE) == pytest.approx(GRACE_SECONDS + 10, abs=1)
    assert pace.seconds_left(10**9) == LONGEST_SILENCE


def test_the_end_of_a_body_that_finds_no_room_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was buffered is written only when the body is read from its beginning."""

    class Full(io.BytesIO):
        def seek(self, *_: int) -> int:
            raise OSError(28, "No space left on device")

    def why(environ: Environ, start: Any) -> list[bytes]:
        start("503 Service Unavailable", [])
        return [environ["unread"].encode()]

    monkeypatch.setattr(bridge, "_spool", lambda _: contextlib.nullcontext(Full()))
    client = Client(b"1")
    client.visit(make(why, tmp_path))
    assert client.body == b"no room"
