"""Reads back the PDF files that are written here: objects by the table at the end, and text."""

from __future__ import annotations

import re
import zlib


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
    return stream_of(read_objects(said)[4]).decode("ascii")


def stream_of(body: bytes) -> bytes:
    """What an object holds, unpacked."""
    head, _, rest = body.partition(b"stream\n")
    length = int(re.match(rb"<< /Length (\d+)", head)[1])  # type: ignore[index]
    assert rest[length:] == b"\nendstream"
    return zlib.decompress(rest[:length]) if b"/FlateDecode" in head else rest[:length]


def read_text(said: bytes) -> list[str]:
    """Every text in its order, by what the file says that its glyphs mean."""
    objects = read_objects(said)
    fonts = dict(re.findall(rb"/(F\d) (\d+) 0 R", objects[3]))
    meanings = {}
    for key, number in fonts.items():
        reference = re.search(rb"/ToUnicode (\d+) 0 R", objects[int(number)])
        cmap = stream_of(objects[int(reference[1])])  # type: ignore[index]
        meanings[key.decode()] = {
            glyph: bytes.fromhex(letter.decode()).decode("utf-16-be")
            for glyph, letter in re.findall(rb"<([0-9a-f]{4})> <([0-9a-f]{4,})>\n", cmap)
        }
    runs = re.findall(r"/(F\d) [\d.]+ Tf [^<]*<([0-9a-f]*)> Tj", read_stream(said))
    return [
        "".join(meanings[font][code.encode()] for code in re.findall("....", codes))
        for font, codes in runs
    ]
