"""`extract_stus`, `train_easiness` and `rank_sentences`: one after the other."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.units.corpus import make_corpus, write_scus


@pytest.fixture
def news(owner: User, tmp_path: Path) -> Project:
    return make_corpus(owner, tmp_path)


def tell(*arguments: Any) -> str:
    out = io.StringIO()
    call_command(*arguments, "--project", "news", stdout=out)
    return out.getvalue()


def told(*arguments: Any) -> Any:
    return json.loads(tell(*arguments, "--json"))


def test_it_extracts_trains_and_ranks(news: Project, owner: User, tmp_path: Path):
    factories.make_set(news, owner, "Draft")
    words = tell("extract_stus", "--extractor", "srl")
    made = UnitSet.objects.get(name="STUs by srl")
    assert words == f"STUs by srl v1: {made.unit_count} STUs, hash {made.content_hash}.\n"
    write_scus(news, owner, tmp_path)
    again = told("extract_stus", "--extractor", "srl")
    assert (again["name"], again["hash"]) == ("STUs by srl v2", made.content_hash)
    assert again["quality"]["scus"] == "SCUs v1"
    assert "accuracy 0." in tell("extract_stus", "--extractor", "srl", "--name", "More")
    card = told(
        *("train_easiness", "--name", "ours", "--folds", "3"),
        *("--scus", "SCUs", "--stus", "STUs by srl@1"),
    )
    assert (card["model"], card["folds"]) == ("ours@1", 3)
    ranked = told(
        *("rank_sentences", "--set", "Draft", "--stus", "STUs by srl", "--top", "2"),
        *("--regressor", "ours"),
    )
    assert (ranked["sentences"], ranked["model"]) == (12, "ours@1")
    first, second = ranked["hardest_sentences"]
    assert first["difficulty"] >= second["difficulty"]
    words = tell("rank_sentences", "--set", "Draft", "--stus", "STUs by srl", "--top", "1")
    assert "12 sentences ranked by giza" in words
    assert len(words.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("extract_stus", "--regressor", "gizza"), "Known: giza"),
        (("extract_stus", "--x", "0"), "x: expected"),
        (("rank_sentences", "--set", "Draft", "--stus", "None"), "unit set 'None'"),
        (("rank_sentences", "--set", "Draft", "--stus", "Draft"), "is not another set"),
        (
            ("train_easiness", "--name", "x", "--scus", "Draft@2", "--stus", "Draft"),
            "unit set 'Draft@2'",
        ),
        (("train_easiness", "--name", "x", "--scus", "Draft", "--stus", "Draft"), "no SCUs"),
    ],
)
def test_it_says_what_it_was_told_wrong(
    arguments: tuple[str, ...], words: str, news: Project, owner: User
):
    factories.make_set(news, owner, "Draft")
    with pytest.raises(CommandError, match=words):
        tell(*arguments)


def test_it_says_that_there_is_no_such_project(db: None):
    with pytest.raises(CommandError, match="no project 'news'"):
        tell("extract_stus")
