"""Reads back the PDF files that are written here: objects by the table at the end, and text."""

from __future__ import annotations

import re


def read_objects(said: bytes) -> dict[int, bytes]:
    """Every object, found where the table says that it begins."""
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n\Z", said)[1])  # type: ignore[index]
    table = said[start:]
    first, count = (int(part) for part in re.match(rb"xref\n(\d+) (\d+)\n", table).groups())  # type: ignore[union-attr]
    lines = table.split(b"\n")[2 : 2 + count]
    assert all(len(line) == 19 for line in lines)
    found = {}
    for number, line in enumerate(lines[1:], start=first + 1):
        place = int(line[:10])
        body = said[place : said.index(b"\nendobj\n", place)]
        head = b"%d 0 obj\n" % number
        assert body.startswith(head)
        found[number] = body[len(head) :]
    return found


def read_stream(said: bytes) -> str:
    """What is painted."""
    (body,) = (each for each in read_objects(said).values() if b"stream\n" in each)
    length = int(re.match(rb"<< /Length (\d+) >>", body)[1])  # type: ignore[index]
    stream = body.split(b"stream\n", 1)[1]
    assert stream[length:] == b"\nendstream"
    return stream[:length].decode("ascii")


def read_text(said: bytes) -> list[str]:
    """Runs of Latin text in their order; those of Symbol in brackets, by their codes."""
    runs = re.findall(r"/(F\d) [\d.]+ Tf [^<]*<([0-9a-f]*)> Tj", read_stream(said))
    return [
        f"[{bytes.fromhex(codes).decode('latin-1')}]"
        if font == "F3"
        else bytes.fromhex(codes).decode("cp1252")
        for font, codes in runs
    ]
