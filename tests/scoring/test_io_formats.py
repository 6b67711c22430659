"""Formats are told by what the files hold, or named; names that nobody knows are refused."""

import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.io import FORMATS, WRITERS, CorpusError, open_corpus
from scoring.types import ExampleRecord, ReferenceText, SystemRecord

JSONL = '{"id": "a", "documents": ["D"]}\n'
SACREROUGE = '{"instance_id": "a", "summarizer_id": "s", "summary": "S"}\n'
CSV = "example_id,part,text\na,document,D\n"


@pytest.mark.parametrize(
    "files, expected",
    [
        ({"references.txt": "R"}, "folder"),
        ({"summaries/s.summary": "S", "systems.csv": "system,type\n"}, "folder"),
        ({"ids.txt": "a", "documents.txt": "D", "extra.jsonl": JSONL}, "folder"),
        ({"some.jsonl": JSONL}, "jsonl"),
        ({"some.NDJSON": "\n\n" + JSONL}, "jsonl"),
        ({"some.jsonl": SACREROUGE}, "sacrerouge"),
        ({"some.CSV": CSV}, "csv"),
        ({"a.csv": "x,y\n", "b.csv": CSV}, "csv"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_it_tells_the_format_by_the_files(
    files: dict[str, str], expected: str, packed: bool, tmp_path: Path
) -> None:
    path = tmp_path / "study.zip"
    if packed:
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
    else:
        for name, text in files.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_text(text)
    reader = open_corpus(path)
    with reader.source:
        assert reader.format == expected


@pytest.mark.parametrize("files", [{}, {"notes.md": "x"}, {"a.csv": "x\n"}, {"a.jsonl": "[]"}])
def test_it_refuses_files_of_no_known_format(files: dict[str, str], tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(CorpusError) as caught:
        open_corpus(tmp_path)
    named = next(iter(files), "no file at all")
    assert caught.value.problem.message == f"The format is not recognised ({named})."
    assert "SacreROUGE JSONL" in caught.value.problem.expected


def test_it_lists_the_known_formats_when_a_name_is_not_one(tmp_path: Path) -> None:
    (tmp_path / "some.jsonl").write_text(JSONL)
    with pytest.raises(CorpusError) as caught:
        open_corpus(tmp_path, format="jsnol")
    assert caught.value.problem.message == "Unknown format 'jsnol'."
    assert caught.value.problem.expected == "one of folder, sacrerouge, jsonl, csv, wide."


@pytest.mark.parametrize("name", FORMATS)
def test_it_refuses_a_named_format_whose_files_are_not_there(name: str, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("x")
    reader = open_corpus(tmp_path, format=name)
    assert list(reader.examples()) == []
    assert reader.problems.count == 1
    assert reader.problems.first[0].message.startswith("There ")


# Whatever a text may hold, besides NUL and half a surrogate pair.
PIECES = st.sampled_from(
    [
        *"\n\r\t,;\"'=+-@{}[]\\ ",
        "\r\n",
        "=1+1",
        "'=x",
        "\ufeff",
        "\u2028",
        "\x85",
        "é",
        "😀",
        "שלום",
    ]
)
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
TEXTS = st.one_of(st.text(CHARACTERS, max_size=20), st.lists(PIECES, max_size=6).map("".join))
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(
    str.strip
)


@st.composite
def references(draw: st.DrawFn, given_sentences: bool) -> ReferenceText:
    text = draw(TEXTS)
    name = draw(st.one_of(st.just(""), NAMES))
    if not given_sentences or draw(st.booleans()):
        return ReferenceText(text, name)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=4)))
    spans = tuple(zip(cuts[::2], cuts[1::2], strict=False))
    return ReferenceText(text, name, spans)


@st.composite
def corpora(
    draw: st.DrawFn, given_sentences: bool = False, summarised: bool = False
) -> tuple[list[SystemRecord], list[ExampleRecord]]:
    names = draw(st.lists(NAMES, unique=True, min_size=1, max_size=3))
    kinds = st.sampled_from(["extractive", "abstractive", "human", "other"])
    systems = [SystemRecord(name, draw(kinds)) for name in names]
    records = []
    for number, key in enumerate(draw(st.lists(NAMES, unique=True, min_size=1, max_size=4))):
        chosen = names if summarised or number == 0 else draw(st.lists(st.sampled_from(names)))
        records.append(
            ExampleRecord(
                key,
                tuple(draw(st.lists(TEXTS, max_size=2))),
                tuple(draw(st.lists(references(given_sentences), max_size=2))),
                {name: draw(TEXTS) for name in chosen},
            )
        )
    filled = [record for record in records if _has_text(record)]
    return systems, filled


def _has_text(record: ExampleRecord) -> bool:
    return bool(record.documents or record.references or record.summaries)


def assert_same(
    value: str,
    corpus: tuple[list[SystemRecord], list[ExampleRecord]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    systems, records = corpus
    path = tmp_path_factory.mktemp("trip") / f"corpus.{'csv' if value == 'csv' else 'jsonl'}"
    written = "".join(WRITERS[value](systems, records))
    path.write_bytes(written.encode())
    reader = open_corpus(path)
    assert reader.format == value
    found = [(r.key, r.documents, r.references, dict(r.summaries)) for r in reader.examples()]
    assert reader.problems.first == []
    assert found == [(r.key, r.documents, r.references, dict(r.summaries)) for r in records]
    assert sorted(map(repr, reader.systems())) == sorted(map(repr, systems))
    assert "".join(WRITERS[value](systems, records)) == written


@given(corpora(given_sentences=True))
def test_it_reads_back_the_jsonl_that_it_writes(
    tmp_path_factory: pytest.TempPathFactory,
    corpus: tuple[list[SystemRecord], list[ExampleRecord]],
) -> None:
    assert_same("jsonl", corpus, tmp_path_factory)


@given(corpora())
def test_it_reads_back_the_csv_that_it_writes(
    tmp_path_factory: pytest.TempPathFactory,
    corpus: tuple[list[SystemRecord], list[ExampleRecord]],
) -> None:
    assert_same("csv", corpus, tmp_path_factory)


@given(corpora(summarised=True))
def test_it_reads_back_the_sacrerouge_jsonl_that_it_writes(
    tmp_path_factory: pytest.TempPathFactory,
    corpus: tuple[list[SystemRecord], list[ExampleRecord]],
) -> None:
    assert_same("sacrerouge", corpus, tmp_path_factory)


def documented() -> list[tuple[str, str]]:
    """The samples of docs/formats.md: (format, text)."""
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    return re.findall(r"^```(jsonl|csv|sacrerouge)\n(.*?)^```", text, re.M | re.S)


@pytest.mark.parametrize("value, sample", documented())
def test_it_reads_the_samples_of_the_document(value: str, sample: str, tmp_path: Path) -> None:
    path = tmp_path / f"sample.{'csv' if value == 'csv' else 'jsonl'}"
    path.write_text(sample, encoding="utf-8")
    reader = open_corpus(path)
    assert reader.format == value
    assert [record.key for record in reader.examples()] == ["a1"]
    assert reader.problems.first == []


def test_it_has_a_sample_of_every_format_that_is_one_file() -> None:
    assert {value for value, _ in documented()} == set(WRITERS)
