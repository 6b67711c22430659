"""A report on metrics: what was found, drawn and said, from a study and a seed."""

from scoring.metaeval.report.build import build_report, write_record
from scoring.metaeval.report.drawing import Drawing
from scoring.metaeval.report.drawings import FIGURES, draw_one, draw_report
from scoring.metaeval.report.latex import write_latex
from scoring.metaeval.report.options import ReportOptions

__all__ = [
    "FIGURES",
    "Drawing",
    "ReportOptions",
    "build_report",
    "draw_one",
    "draw_report",
    "write_latex",
    "write_record",
]
