"""What is looked for after the end: a file or an export that differs is counted."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from tests.soak.log import Promises
from tests.soak.proof import Books, count_differing_files
from tests.soak.seed import make_units
from tests.soak.staff import BOUNDARY, pack

FILES = {"ids.txt": "a\nb", "summaries/lead.summary": "x\ny"}


def zipped(files: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def books(promises: Promises) -> Books:
    seeded = {"draft": 1, "frozen": 2, "project": "soak", "units": 3}
    return Books("postgresql://nowhere", seeded, promises)


def test_it_counts_files_that_differ_or_are_missing(tmp_path: Path):
    sent = tmp_path / "sent.zip"
    sent.write_bytes(zipped(FILES))
    assert count_differing_files(zipped({**FILES, "systems.csv": "made here"}), sent) == 0
    assert count_differing_files(zipped({**FILES, "ids.txt": "a"}), sent) == 1
    assert count_differing_files(zipped({}), sent) == 2


def test_it_counts_exports_that_differ():
    promises = Promises()
    promises.exports["corpus, csv"] += ["1", "1", "1"]
    promises.exports["gold, csv"] += ["2", "3"]
    assert books(promises).count_differing_exports() == 1


class Told(Books):
    """Books whose database is a dictionary."""

    rows: dict[str, list[tuple[object, ...]]]

    def query(self, statement: str) -> list[tuple[object, ...]]:
        return next(rows for part, rows in self.rows.items() if part in statement)


def told(promises: Promises, **rows: list[tuple[object, ...]]) -> Told:
    made = Told("", {"draft": 1, "frozen": 2, "project": "soak", "units": 3}, promises)
    made.rows = rows
    return made


def test_it_counts_saves_that_are_lost_or_made_twice():
    promises = Promises(
        units={1: ("Rain.", 2), 2: ("Dam.", 1), 3: ("Gone.", 1)}, ops=["a", "b", "c"]
    )
    found = told(
        promises,
        units_unit=[(1, "Rain.", 2), (2, "Dam", 1)],
        units_change=[("a",), ("b",), ("b",), ("z",)],
    )
    assert found.count_lost_saves() == 2 + 2


def test_it_counts_work_that_is_not_paid_just_once():
    whole = ("Approved", 1, 3, 1, 1)
    promises = Promises(submitted=["a", "b", "c", "c"])
    rows: list[tuple[object, ...]] = [
        ("a", *whole),
        ("b", "Approved", 1, 3, 2, 1),
        ("other", *whole),
    ]
    found = told(promises, crowd_marketassignment=rows)
    assert found.count_wrong_work() == 2
    assert found.count_unpromised_work() == 1


def test_it_counts_judgements_that_a_run_lacks():
    found = told(Promises(), evaluation_summarypresence=[(9, 30)], corpora_summary=[(10, 33)])
    assert found.count_missing_presence() == 1 + 3


def test_it_makes_units_of_a_reference():
    reference = " ".join(f"word{number}" for number in range(40))
    units = make_units(reference, 8).split("\t")
    assert len(set(units)) == 8
    assert all(unit.endswith(".") for unit in units)


def test_it_packs_a_file_as_browsers_do():
    body = pack("a.zip", b"\x00bytes")
    assert body.startswith(f"--{BOUNDARY}\r\n".encode())
    assert b'filename="a.zip"' in body
    assert body.endswith(b"\r\n\r\n\x00bytes" + f"\r\n--{BOUNDARY}--\r\n".encode())
