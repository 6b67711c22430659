"""`python -m scoring easiness train|predict|figures`: which sentences STUs stand for well."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.cli import easiness_figures
from scoring.easiness.cases import cases_of, join_texts, load_trees, make_cases, read_folder
from scoring.easiness.damage import sentence_damage
from scoring.easiness.features import FEATURES
from scoring.easiness.regressors import DAMAGE, EASINESS, TARGETS, as_easiness, load_regressor
from scoring.easiness.training import Options, choose_folds, train_regressor
from scoring.errors import InputError
from scoring.io.errors import ProblemList
from scoring.io.studies import read_references, read_units
from scoring.parses import load_parser
from scoring.planning.orders import order_lines, true_easiness
from scoring.planning.study import (
    HUMAN,
    SentenceUnits,
    UnitTexts,
    align_texts,
    read_study,
    read_texts,
)
from scoring.stu.extractors import EXTRACTORS, load_extractor

NAME = "easiness"
HELP = "Train a regressor of easiness, rank sentences by it, or print figures."
FILES = ("references", "scus", "stus")
FOLD = "fold*.id"
SHOWN = 20
FIGURES = (
    "  {name}: MAE {mae:.4f}, Spearman's ρ {rho:.3f}; MAE of the mean {mean_mae:.4f}, "
    "gain {gain:.4f}, 95 % interval {gain_low:.4f} to {gain_high:.4f}"
)
LINE = "{rank:>5}  {predicted:.3f}  {document}/{sentence}  {text}"

Floats = NDArray[np.float64]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, what, add in (
        ("train", "Train on a study, with figures from folds that were held out.", _add_train),
        ("predict", "Rank sentences, the hardest first.", _add_predict),
        ("figures", easiness_figures.HELP, easiness_figures.add_arguments),
    ):
        part = actions.add_parser(name, help=what, description=what)
        add(part)
        part.add_argument(
            "--json", action="store_true", default=argparse.SUPPRESS, help="print JSON"
        )


def _add_train(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, nargs="+", help="folders of studies, instead of files")
    for name in FILES:
        parser.add_argument(f"--{name}", type=Path, help=f"{name}, one line per document")
    parser.add_argument(
        "--ids", type=Path, help="document ids, one per line; by default ids.txt next to the SCUs"
    )
    parser.add_argument("--folds", type=Path, help=f"folder of {FOLD}; by default folds are drawn")
    parser.add_argument("--k", type=int, default=5, help="number of folds to draw")
    parser.add_argument("--model", choices=tuple(FEATURES), default="giza", help="features to use")
    parser.add_argument("--target", choices=TARGETS, default=EASINESS)
    parser.add_argument(
        "--judge", default=HUMAN, help="judge whose scores define the damage; default: human"
    )
    parser.add_argument("--name", default="", help="name of the regressor")
    parser.add_argument("--out", type=Path, help="write the regressor to this file, as JSON")
    parser.add_argument(
        "--predictions", type=Path, help="write the predictions for held-out sentences"
    )
    parser.add_argument("--seed", type=int, default=0)
    _add_parsing(parser)


def _add_predict(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--references", type=Path, required=True, help="one reference per line")
    parser.add_argument(
        "--stus", type=Path, help="STUs, one line per document; extracted by default"
    )
    parser.add_argument("--extractor", choices=EXTRACTORS, default="srl")
    parser.add_argument(
        "--ids", type=Path, help="document ids; by default ids.txt next to the references"
    )
    parser.add_argument("--model", default="", help="giza (default), paper, damage, or a file")
    parser.add_argument("--out", type=Path, help="write predictions, one line per document")
    _add_parsing(parser)


def _add_parsing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--trees", default="", help="file of bracketed trees, one line per sentence; or benepar"
    )
    parser.add_argument(
        "--parser", default="", help="a spaCy pipeline; by default the embedded one"
    )


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    actions = {"train": _train, "predict": _predict, "figures": easiness_figures.run}
    return {"action": arguments.action, **actions[arguments.action](arguments)}


def _train(arguments: argparse.Namespace) -> dict[str, Any]:
    texts, targets, groups = _read_targets(arguments)
    trees = load_trees(arguments.trees, [row.text for row in texts.sentences])
    cases = cases_of(texts, trees=trees, parser=load_parser(arguments.parser))
    paths = _fold_files(arguments.folds)
    folds = choose_folds(texts.documents, paths, k=arguments.k, seed=arguments.seed)
    options = Options(arguments.model, arguments.target, arguments.name, arguments.seed)
    trained = train_regressor(texts.sentences, cases, targets, folds, options, groups=groups)
    if arguments.out:
        trained.save(arguments.out)
    if arguments.predictions:
        _write(arguments.predictions, trained.held_out, texts.sentences)
    return trained.regressor.card


def _read_targets(arguments: argparse.Namespace) -> tuple[UnitTexts, Floats, list[str]]:
    """Texts, what is to be learned of each sentence, and the study that each is from."""
    files = [getattr(arguments, name) for name in FILES]
    if bool(arguments.data) == any(files) or any(files) != all(files):
        raise InputError("Give --data, or --references, --scus and --stus together.")
    if arguments.target == DAMAGE and not arguments.data:
        raise InputError("Damage needs summaries and labels. Give their folder with --data.")
    if not arguments.data:
        texts = read_texts(arguments.references, arguments.scus, arguments.stus, arguments.ids)
        return texts, true_easiness(texts), []
    parts = [read_folder(folder) for folder in arguments.data]
    names = [
        folder.resolve().name
        for folder, part in zip(arguments.data, parts, strict=True)
        for _ in part.sentences
    ]
    texts = join_texts(parts)
    if arguments.target == EASINESS:
        return texts, true_easiness(texts), names
    studies = (read_study(folder, judge=arguments.judge) for folder in arguments.data)
    return texts, np.concatenate([sentence_damage(study) for study in studies]), names


def _fold_files(folder: Path | None) -> list[Path]:
    if folder is None:
        return []
    found = sorted(folder.glob(FOLD))
    if not found:
        raise InputError(f"There is no {FOLD} in {folder}.")
    return found


def _predict(arguments: argparse.Namespace) -> dict[str, Any]:
    problems = ProblemList()
    references = read_references(arguments.references, arguments.ids, problems)
    problems.raise_first()
    sentences, stus = _read_stus(arguments, references)
    regressor = load_regressor(arguments.model)
    texts = [row.text for row in sentences]
    trees = load_trees(arguments.trees, texts)
    cases = make_cases(texts, stus, trees=trees, parser=load_parser(arguments.parser))
    predicted = regressor.predict(cases)
    if arguments.out:
        _write(arguments.out, np.array(predicted), sentences)
    order = np.argsort(as_easiness(predicted, regressor.target), kind="stable")
    return {
        "model": regressor.name,
        "version": regressor.version,
        "target": regressor.target,
        "sentences": [
            {
                "rank": rank,
                "document": sentences[i].document,
                "sentence": sentences[i].place,
                "text": sentences[i].text,
                "predicted": predicted[i],
                "stus": list(stus[i]),
            }
            for rank, i in enumerate(order, 1)
        ],
    }


def _read_stus(
    arguments: argparse.Namespace, references: dict[str, list[str]]
) -> tuple[Sequence[SentenceUnits], list[list[str]]]:
    """Sentences and the STUs of each: read from a file, or extracted."""
    documents, lists = list(references), list(references.values())
    none: list[list[str]] = [[] for _ in documents]
    if not arguments.stus:
        sentences = align_texts(documents, lists, none, none).sentences
        extractor = load_extractor(arguments.extractor, parser=arguments.parser)
        made = extractor.extract(lists)
        return sentences, [
            [stu.text for stu in units if stu.sentence == place]
            for own, units in zip(lists, made, strict=True)
            for place in range(len(own))
        ]
    problems = ProblemList()
    found = read_units(arguments.stus, arguments.ids, problems)
    problems.raise_first()
    if strange := sorted(set(found) - set(documents)):
        raise InputError(f"There are STUs of '{strange[0]}', which is not a reference.")
    units = [[unit.text for unit in found.get(name, ())] for name in documents]
    texts = align_texts(documents, lists, none, units)
    by_document = dict(zip(documents, units, strict=True))
    return texts.sentences, [
        [by_document[row.document][stu] for stu in row.stus] for row in texts.sentences
    ]


def _write(path: Path, values: Floats, sentences: Sequence[SentenceUnits]) -> None:
    path.write_text("\n".join(order_lines(values, sentences)), encoding="utf-8", newline="")


def show(found: dict[str, Any]) -> str:
    shows = {"train": _show_train, "predict": _show_predict, "figures": easiness_figures.show}
    return shows[found["action"]](found)


def _show_train(found: dict[str, Any]) -> str:
    lines = [
        f"{found['name']}: {found['target']} from the features of {found['features']}",
        "trained on {sentences:,} sentences of {documents:,} documents".format(**found["data"]),
        f"held out in {found['folds']} folds of documents:",
    ]
    parts = found["held_out_by_study"]
    return "\n".join(
        [
            *lines,
            FIGURES.format(name="all", **found["held_out"]),
            *(FIGURES.format(name=name, **part) for name, part in parts.items() if len(parts) > 1),
        ]
    )


def _show_predict(found: dict[str, Any]) -> str:
    rows = found["sentences"]
    lines = [f"{found['model']} {found['version']}: predicted {found['target']}, the hardest first"]
    lines += [LINE.format(**row) for row in rows[:SHOWN]]
    if len(rows) > SHOWN:
        lines.append(f"… and {len(rows) - SHOWN:,} more; --json has all")
    return "\n".join(lines)
