"""Tables of the documents, made of what is stored."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scoring.cli.held_out import describe, shorten
from tests.documents import DOCS
from tests.figures.metrics import draw_metrics, draw_published
from tests.figures.parts import STUDIES, read_stored

PAGES = tuple(
    DOCS / f"{name}.md"
    for name in (
        "science",
        "judges",
        "easiness",
        "stus",
        "stus_rich",
        "planning",
        "metrics",
        "metrics_soft",
    )
)
BLOCK = re.compile(r"(<!-- figures: ([\w-]+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)

Row = Mapping[str, Any]
LEVELS = ("summary", "system")
ORDERS = {
    "giza": "`giza`",
    "paper": "`paper`",
    "damage": "`damage`, predicted",
    "reverse giza": "reverse of `giza`",
    "oracle": "true easiness (`oracle`)",
    "damage-oracle": "true damage (`damage-oracle`)",
}
JUDGES = {"human": "human labels*", "embedded": "`embedded`"}


def write_pages() -> list[str]:
    """Write every table again; the names of the pages that changed."""
    changed = []
    for page in PAGES:
        old = page.read_text(encoding="utf-8")
        if (new := fill(old)) != old:
            page.write_text(new, encoding="utf-8")
            changed.append(page.name)
    return changed


def fill(text: str) -> str:
    """The text with each block made of what is stored; an unknown name is an error."""
    return BLOCK.sub(lambda found: found[1] + TABLES[found[2]]() + found[3], text)


def list_blocks(page: Path) -> list[str]:
    return [name for _, name, _ in BLOCK.findall(page.read_text(encoding="utf-8"))]


def _table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def draw_held_out() -> str:
    found = read_stored("held-out")["held-out"]
    head = ["judge", "learned from", "accuracy", "ECE", "r, summary level", "r, system level"]
    return _table(head, _held_out_rows(found))


def _held_out_rows(found: Row) -> Iterator[Sequence[str]]:
    for setting in dict.fromkeys(row["setting"] for row in found["rows"]):
        ours = [row for row in found["rows"] if row["setting"] == setting]
        yield [f"**{describe(setting, ours[0])}**", *[""] * 5]
        for row in (*ours, *(row for row in found["paper"] if row["setting"] == setting)):
            cells = shorten(row)
            cells["judge"] += f" ({row['source']})" if "source" in row else ""
            names = ("judge", "learned_from", "accuracy", "ece", "summary_level", "system_level")
            yield [cells[name] for name in names]


def draw_stus() -> str:
    """How near STUs come to SCUs: easiness of sentences, precision, and STUs per SCU."""
    stored = read_stored("stus")
    rows = {(row["study"], row["units"]): row for row in stored["ranker"]["rows"]}
    for name in ("REALSumm srl", "REALSumm srl --coref", "PyrXSum srl"):
        study, units = name.split(" ", 1)
        rows[study, units] = stored[name]
    kinds = list(dict.fromkeys(units for _, units in rows))
    order = [kinds[0], *(kind for kind in kinds if kind.startswith("srl")), *kinds[1:]]
    studies = list(STUDIES.values())
    head = ["accuracy, precision, x", *studies]
    return _table(
        head,
        (
            [_units(kind), *(_quality(rows.get((study, kind))) for study in studies)]
            for kind in dict.fromkeys(order)
        ),
    )


def _units(name: str) -> str:
    if not name.startswith(("rich", "srl")):
        return "the paper’s released STUs" if name == "released STUs" else name
    kind, comma, x = name.partition(",")
    return f"`{kind}`{comma}{x}"


def _quality(row: Row | None) -> str:
    if row is None:
        return "–"
    return f"{number(row['accuracy'])}, {number(row['precision'])}, {number(row['x'], 2)}"


def draw_stu_correlation() -> str:
    rows = read_stored("stu-correlation")["embedded"]["rows"]
    head = ["", "units", "r, summary level", "over released STUs", "r, system level"]
    return _table([*head, "over released STUs"], _stu_correlation_rows(rows))


def _stu_correlation_rows(rows: Sequence[Row]) -> Iterator[Sequence[str]]:
    study = ""
    for row in rows:
        cells = ["" if row["study"] == study else row["study"], _units(row["units"])]
        study = row["study"]
        for level in LEVELS:
            gain = row[f"{level}_gain"]
            is_base = row["units"] == "released STUs"
            cells += [number(row[f"{level}_level"]), "" if is_base else over(gain, "value")]
        yield cells


def draw_easiness() -> str:
    return _draw_targets("easiness")


def draw_damage() -> str:
    return _draw_targets("damage")


def _draw_targets(target: str) -> str:
    found = read_stored("easiness")["figures"]
    head = ["regressor", "MAE", "ρ", "gain over the mean", f"MAE, ρ by {found['repeats']} draws"]
    rows = [row for row in found["rows"] if row["target"] == target]
    return _table(head, _easiness_rows(rows))


def _easiness_rows(rows: Sequence[Row]) -> Iterator[Sequence[str]]:
    sentences = {row["study"]: row["sentences"] for row in rows if "sentences" in row}
    study = ""
    for row in rows:
        if row["study"] != study:
            study = row["study"]
            yield [f"**{study}, 5 folds by examples, {sentences[study]} sentences**", *[""] * 4]
        places = 4 if row["target"] == "damage" else 3
        cells = [MODELS[row["model"]]]
        cells.append(number(row["mae"], places) if "mae" in row else "–")
        cells.append(number(row["rho"], 2) if "rho" in row else "–")
        gain = ("gain", "gain_low", "gain_high")
        cells.append(over(row, *gain, places=places) if "gain" in row else "–")
        drawn = (
            [number(row["drawn_mae"]), number(row["drawn_rho"], 2)] if "drawn_mae" in row else []
        )
        yield [*cells, ", ".join(drawn) or "–"]


MODELS = {
    "paper, as printed": "the paper, as printed (A.4, which names no folds)",
    "mean": "mean predictor",
    "paper, as released": "the paper’s released regressors, embedded trees",
    "paper": "`paper`",
    "giza": "`giza`",
    "easiness of giza": "easiness of `giza`",
}


def draw_curves() -> str:
    return _draw_gains("summary")


def draw_curves_system() -> str:
    return _draw_gains("system")


def _draw_gains(level: str) -> str:
    stored = read_stored("curves")
    names = [(study, judge) for study in STUDIES.values() for judge in JUDGES]
    columns = [stored[f"{study} {judge}"] for study, judge in names]
    head = ["order", *(f"{study}, {JUDGES[judge]}" for study, judge in names)]
    return _table(head, _gain_rows(columns, level))


def _gain_rows(columns: Sequence[Row], level: str) -> Iterator[Sequence[str]]:
    ends = (" → ".join(number(value) for value in column["random"][level]) for column in columns)
    yield ["random: r at 0, 50, 100 %", *ends]
    for order, words in ORDERS.items():
        gains = [
            row
            for column in columns
            for row in column["gains"]
            if (row["order"], row["level"]) == (order, level)
        ]
        yield [words, *(_gain(row) for row in gains)]


def _gain(row: Row) -> str:
    shown = over(row, "area", "area_low", "area_high")
    return f"**{shown}**" if row["area_low"] > 0 or row["area_high"] < 0 else shown


def number(value: float, places: int = 3) -> str:
    return _short(f"{value:.{places}f}")


def _short(figure: str) -> str:
    """Without the 0 before the point, and with a minus sign."""
    return re.sub(r"^([+-]?)0\.", r"\1.", figure).replace("-", "−")


def over(row: Row, value: str, low: str = "low", high: str = "high", *, places: int = 3) -> str:
    """A difference with its interval."""
    shown = [_short(f"{row[name]:+.{places}f}") for name in (value, low, high)]
    return f"{shown[0]} ({shown[1]} to {shown[2]})"


TABLES: dict[str, Callable[[], str]] = {
    "held-out": draw_held_out,
    "stus": draw_stus,
    "stu-correlation": draw_stu_correlation,
    "easiness": draw_easiness,
    "damage": draw_damage,
    "curves": draw_curves,
    "curves-system": draw_curves_system,
    "metrics": draw_metrics,
    "published": draw_published,
}
