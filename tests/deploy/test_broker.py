"""The folder of messages: whole, once, in order, and nothing left behind."""

from __future__ import annotations

import multiprocessing
from queue import Empty

import pytest
from kombu import Connection

from deploy import broker
from tests.servers import PATIENCE

MESSAGES = 1500
READERS = 3


def open_channel(folder):
    broker.register()
    for name in ("messages", "control"):
        (folder / name).mkdir(exist_ok=True)
    options = {
        "data_folder_in": str(folder / "messages"),
        "data_folder_out": str(folder / "messages"),
        "control_folder": str(folder / "control"),
    }
    return Connection("filesystem://localhost", transport_options=options).default_channel


def read_all(folder, done, found):
    """Take messages without pause until the writer is done and the folder is empty."""
    channel = open_channel(folder)
    taken = []
    while True:
        was_done = done.is_set()
        try:
            taken.append(channel._get("jobs")["number"])
        except Empty:
            if was_done:
                break
    found.put(taken)


def test_it_is_what_filesystem_stands_for(tmp_path):
    assert isinstance(open_channel(tmp_path), broker.Channel)


def test_it_gives_messages_back_in_order_and_leaves_nothing(tmp_path):
    channel = open_channel(tmp_path)
    for number in range(20):
        channel._put("jobs", {"number": number})
    assert [channel._get("jobs")["number"] for _ in range(20)] == list(range(20))
    assert list((tmp_path / "messages").iterdir()) == []


def test_it_says_when_there_is_none(tmp_path):
    with pytest.raises(Empty):
        open_channel(tmp_path)._get("jobs")


def test_it_keeps_queues_apart(tmp_path):
    channel = open_channel(tmp_path)
    channel._put("other", {"number": 1})
    with pytest.raises(Empty):
        channel._get("jobs")
    assert channel._size("other") == 1
    assert channel._purge("other") == 1


def test_it_does_not_see_a_message_that_is_half_written(tmp_path):
    channel = open_channel(tmp_path)
    (tmp_path / "messages" / "00000000000000000001_a.jobs.part").write_text('{"num')
    with pytest.raises(Empty):
        channel._get("jobs")


def test_it_lets_only_one_reader_take_a_message(tmp_path):
    (tmp_path / "1_a.jobs.msg").write_text("{}")
    assert broker.take(tmp_path / "1_a.jobs.msg") == "{}"
    assert broker.take(tmp_path / "1_a.jobs.msg") is None


def test_it_hands_each_message_to_one_of_several_readers(tmp_path):
    """Readers that never pause meet messages in the moment of writing: none breaks or is lost."""
    context = multiprocessing.get_context("spawn")
    done, found = context.Event(), context.Queue()
    readers = [
        context.Process(target=read_all, args=[tmp_path, done, found]) for _ in range(READERS)
    ]
    channel = open_channel(tmp_path)
    for reader in readers:
        reader.start()
    for number in range(MESSAGES):
        channel._put("jobs", {"number": number, "padding": "x" * 300})
    done.set()
    taken = [number for _ in readers for number in found.get(timeout=PATIENCE)]
    for reader in readers:
        reader.join(timeout=PATIENCE)
    assert sorted(taken) == list(range(MESSAGES))


def test_it_leaves_no_half_of_a_message_on_a_full_disk(disk):
    channel = open_channel(disk.folder)
    disk.fill()
    with pytest.raises(OSError):
        channel._put("jobs", {"text": "x" * 100_000})
    assert list((disk.folder / "messages").iterdir()) == []
    disk.free()
    channel._put("jobs", {"number": 1})
    assert channel._get("jobs") == {"number": 1}
