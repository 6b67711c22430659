"""The judge of words alone: no torch, no download."""

from __future__ import annotations

from scoring.backends.tree_judge import TreeJudge, load_trees
from scoring.judge.catalogue import JudgeOptions, Preset
from scoring.judge.reading_rows import LEXICAL, lexical_rows


def load(name: str, preset: Preset | None, options: JudgeOptions) -> TreeJudge:
    trees, identity = load_trees(name, preset, LEXICAL, kind="lexical")
    return TreeJudge(trees, identity, lexical_rows)
