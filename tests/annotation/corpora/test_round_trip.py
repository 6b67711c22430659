"""Import, export, import again: the same corpus, in every format that can hold it."""

from __future__ import annotations

import itertools
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.exports import EXPORT_FORMATS, iter_records, stream_export, why_not
from annotation.corpora.corpus.models import System
from annotation.corpora.projects.models import Project
from scoring.io import WRITERS
from scoring.types import ExampleRecord, ReferenceText, SystemRecord
from tests.factories import import_corpus, make_project

Corpus = tuple[list[SystemRecord], list[ExampleRecord]]
numbers = itertools.count(1)

PIECES = st.sampled_from(
    [
        *"\n\r\t,\"'=+-@{ ",
        "\r\n",
        "=1+1",
        "'=x",
        "\ufeff",
        "\u2028",
        "\x85",
        "\u00a0",
        "é",
        "😀",
        "שלום",
    ]
)
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
ANY_TEXTS = st.one_of(st.text(CHARACTERS, max_size=12), st.lists(PIECES, max_size=5).map("".join))
NAMES = st.one_of(
    st.sampled_from(["a", "A", "007", "a b", "=x", "'=x", "a/b", "..", "\ufeffx", "日本", "-"]),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6),
).filter(str.strip)
# One line, not empty: what line files can hold.
LINES = ANY_TEXTS.map(lambda text: text.replace("\n", " ").rstrip("\r")).filter(bool)


@st.composite
def references(draw: st.DrawFn, is_plain: bool) -> ReferenceText:
    if is_plain:
        return ReferenceText(draw(LINES))
    text = draw(ANY_TEXTS)
    name = draw(st.one_of(st.just(""), NAMES))
    if draw(st.booleans()):
        return ReferenceText(text, name)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=4)))
    return ReferenceText(text, name, tuple(zip(cuts[::2], cuts[1::2], strict=False)))


@st.composite
def corpora(draw: st.DrawFn, is_plain: bool) -> Corpus:
    """Plain enough for line files, or with everything that there is."""
    names = draw(st.lists(NAMES, unique=True, max_size=3))
    if is_plain:
        names = list(dict.fromkeys(name.replace("/", "|") for name in names))
    kinds = st.sampled_from(["extractive", "abstractive", "human", "other"])
    systems = [SystemRecord(name, draw(kinds)) for name in names]
    keys = draw(st.lists(NAMES, unique=True, min_size=1, max_size=3))
    return systems, [draw(examples(key, names, is_plain)) for key in keys]


@st.composite
def examples(draw: st.DrawFn, key: str, names: list[str], is_plain: bool) -> ExampleRecord:
    most = 1 if is_plain else 2
    chosen = [name for name in names if is_plain or draw(st.booleans())]
    documents = draw(st.lists(LINES if is_plain else ANY_TEXTS, max_size=most))
    found = draw(st.lists(references(is_plain), max_size=most))
    if not (documents or found or chosen):
        documents = ["D"]
    texts = {name: draw(LINES | st.just("") if is_plain else ANY_TEXTS) for name in chosen}
    return ExampleRecord(key, tuple(documents), tuple(found), texts)


def corpus_of(project: Project) -> Corpus:
    systems = System.objects.live().filter(project=project)
    return [SystemRecord(system.name, system.kind) for system in systems], list(
        iter_records(project)
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("trips")
    yield made
    shutil.rmtree(made)


def load(owner: User, path: Path) -> Project:
    project = make_project(owner, slug=f"study-{next(numbers)}")
    import_corpus(project, path)
    return project


def assert_it_comes_back(value: str, corpus: Corpus, owner: User, folder: Path) -> None:
    path = folder / f"{next(numbers)}.jsonl"
    path.write_bytes("".join(WRITERS["jsonl"](*corpus)).encode())
    first = load(owner, path)
    systems, records = corpus_of(first)
    assert records == corpus[1]
    assert set(systems) == set(corpus[0])
    reason = why_not(first, value)
    if reason is not None:
        event(reason[:30])
        assert value in ("csv", "sacrerouge"), reason
        return
    sent = folder / f"{next(numbers)}.{EXPORT_FORMATS[value].suffix}"
    sent.write_bytes(b"".join(stream_export(first, value)))
    second = load(owner, sent)
    assert second.imports.get().format == value
    assert corpus_of(second) == (systems, records)
    assert b"".join(stream_export(second, value)) == sent.read_bytes(), "byte for byte"


trips = settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.parametrize("value", EXPORT_FORMATS)
@trips
@given(corpus=corpora(is_plain=True))
def test_it_comes_back_the_same_where_it_is_plain(
    value: str, corpus: Corpus, owner: User, folder: Path
) -> None:
    assert_it_comes_back(value, corpus, owner, folder)


@pytest.mark.parametrize("value", [value for value in EXPORT_FORMATS if value != "folder"])
@trips
@given(corpus=corpora(is_plain=False))
def test_it_comes_back_the_same_with_all_there_is(
    value: str, corpus: Corpus, owner: User, folder: Path
) -> None:
    assert_it_comes_back(value, corpus, owner, folder)


@pytest.mark.parametrize("name", ["realsumm_dir", "pyrxsum_dir"])
def test_it_gives_published_files_back_byte_for_byte(
    name: str, realsumm_dir: Path, pyrxsum_dir: Path, owner: User, tmp_path: Path
) -> None:
    source = {"realsumm_dir": realsumm_dir, "pyrxsum_dir": pyrxsum_dir}[name]
    project = load(owner, source)
    sent = tmp_path / "sent.zip"
    sent.write_bytes(b"".join(stream_export(project, "folder")))
    with zipfile.ZipFile(sent) as archive:
        names = [info.filename for info in archive.infolist() if info.filename != "systems.csv"]
        for entry in names:
            assert archive.read(entry) == (source / entry).read_bytes(), entry
    expected = [*source.glob("*.txt"), *source.glob("*/*.summary"), *source.glob("labels/*")]
    expected += [*source.glob("by_*/*")]
    assert sorted(names) == sorted(path.relative_to(source).as_posix() for path in expected)

    again = load(owner, sent)
    assert corpus_of(again) == corpus_of(project)
    for value in ("jsonl", "csv", "sacrerouge"):
        path = tmp_path / f"{value}.{EXPORT_FORMATS[value].suffix}"
        path.write_bytes(b"".join(stream_export(project, value)))
        assert corpus_of(load(owner, path)) == corpus_of(project)
