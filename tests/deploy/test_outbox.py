"""Answers that wait for their readers, and what they may take of threads and disk."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from deploy.web import outbox
from deploy.web.environ import Environ
from deploy.web.outbox import Gone, Outbox, Shelf
from tests.deploy.test_web import Client, make
from tests.disks import Disk


def free_room(shelf: Shelf) -> int:
    return shelf._room


def test_answers_that_nobody_reads_do_not_fill_the_disk() -> None:
    shelf = Shelf(room=100)
    shelf.wait_and_take(90, 1, lambda: True)
    with pytest.raises(Gone):
        shelf.wait_and_take(20, 0.05, lambda: True)
    shelf.give_back(90)
    shelf.wait_and_take(100, 0.05, lambda: True)


def test_few_threads_wait_for_room_at_a_time() -> None:
    """The others answer whoever reads, so one more is cut off at once."""
    shelf = Shelf(room=0, waiters=1)
    waited: list[float] = []
    first = threading.Thread(
        target=lambda: waited.append(shelf.wait_and_take(10, 30, lambda: True)), daemon=True
    )
    first.start()
    time.sleep(0.2)
    begun = time.monotonic()
    with pytest.raises(Gone, match="Too many"):
        shelf.wait_and_take(10, 30, lambda: True)
    assert time.monotonic() - begun < 5
    shelf.give_back(10)
    first.join(30)
    assert len(waited) == 1


def with_outbox(shelf: Shelf, folder: Path, work: Any) -> None:
    async def run() -> None:
        box = Outbox(shelf, folder)
        box.begin(200, [])
        try:
            await asyncio.to_thread(work, box)
        finally:
            box.close()

    asyncio.run(run())


def test_a_page_never_waits_for_room(tmp_path: Path) -> None:
    shelf = Shelf(room=0)
    with_outbox(shelf, tmp_path, lambda box: box.write(b"x" * outbox.AT_ONCE))
    assert free_room(shelf) == 0, "and gives back what it took"


def test_a_thread_waits_so_long_over_a_whole_answer(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(outbox, "LONGEST_WAIT", 0.5)
    monkeypatch.setattr(outbox, "AT_ONCE", 10)
    shelf = Shelf(room=0)

    def drip(box: Outbox) -> None:
        box.write(b"x" * 10)
        for _ in range(100):
            threading.Timer(0.2, shelf.give_back, [10]).start()
            box.write(b"x" * 10)

    begun = time.monotonic()
    with pytest.raises(Gone, match="taken all the room"):
        with_outbox(shelf, tmp_path, drip)
    assert time.monotonic() - begun < 5


def test_one_answer_does_not_take_all_the_room(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(outbox, "LONGEST_WAIT", 0.1)
    monkeypatch.setattr(outbox, "AT_ONCE", 10)
    monkeypatch.setattr(outbox, "MOST_OF_ONE", 50)
    shelf = Shelf(room=1000)
    with pytest.raises(Gone):
        with_outbox(shelf, tmp_path, lambda box: box.write(b"x" * 60))
    assert free_room(shelf) == 1000


def test_answers_take_only_so_much_memory_of_a_process(tmp_path: Path) -> None:
    async def run() -> None:
        shelf = Shelf(memory=100)
        boxes = [Outbox(shelf, tmp_path) for _ in range(3)]
        for box in boxes:
            box.begin(200, [])
            box.write(b"x" * 50)
            box.write(b"y" * 10)
            box.end(is_whole=True)
        assert [box._file._rolled for box in boxes] == [False, True, True]  # type: ignore[attr-defined]
        for box in boxes:
            assert b"".join([piece async for piece in box.pieces()]) == b"x" * 50 + b"y" * 10
            box.close()
        assert shelf._memory == 100

    asyncio.run(run())


def test_a_full_disk_does_not_keep_the_room_of_answers(disk: Disk) -> None:
    shelf = Shelf(room=2**23)
    disk.fill()
    with pytest.raises(Gone, match="written to disk"):
        with_outbox(shelf, disk.folder, lambda box: box.write(b"x" * 2**22))
    assert free_room(shelf) == 2**23


def test_an_answer_ends_although_its_file_cannot_be_closed(tmp_path: Path) -> None:
    async def close() -> Outbox:
        box = Outbox(Shelf(), tmp_path)
        box._file.close()

        class Full:
            def close(self) -> None:
                raise OSError(28, "No space left on device")

        box._file = Full()  # type: ignore[assignment]
        box.close()
        await asyncio.wait_for(box._news.wait(), 5)
        return box

    assert asyncio.run(close()).is_closed


def test_an_answer_that_the_disk_does_not_take_is_cut_off(disk: Disk) -> None:
    def large(environ: Environ, start: Any) -> list[bytes]:
        start("200 OK", [])
        return [b"x" * 2**22]

    class Slow(Client):
        async def send(self, message: dict[str, Any]) -> None:
            await super().send(message)
            await asyncio.sleep(0.3)

    disk.fill()
    application = make(large, disk.folder)
    before = free_room(application._shelf)
    client = Slow()
    client.visit(application)
    assert client.is_cut_off
    assert free_room(application._shelf) == before


def test_a_thread_waits_for_room_and_goes_on(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(outbox, "AT_ONCE", 100)

    async def pass_on() -> bytes:
        shelf = Shelf(room=1000)
        box = Outbox(shelf, tmp_path)

        def write() -> None:
            box.begin(200, [])
            for _ in range(50):
                box.write(b"x" * 100)
            box.end(is_whole=True)

        writing = threading.Thread(target=write)
        writing.start()
        found = b""
        async for piece in box.pieces():
            found += piece
            time.sleep(0.001)
        writing.join()
        box.close()
        assert free_room(shelf) == 1000, "all of it was given back"
        return found

    assert asyncio.run(pass_on()) == b"x" * 5000
