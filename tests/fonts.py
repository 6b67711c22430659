"""`python -m tests.fonts FOLDER`: makes the fonts of figures from FiraGO.

FOLDER holds FiraGO-Regular.ttf and FiraGO-Bold.ttf. They are cut down to the letters that figures
may need, and renamed, as their licence asks of a changed font.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset

from scoring.figures.letters import FILES

FONTS = Path(__file__).parent.parent / "scoring" / "figures" / "fonts"
OURS, THEIRS = "GizaSans", "FiraGO"
# Copyright, trademark and licence stay as they are.
THEIR_NAMES = {0, 7, 13, 14}
# Latin, Greek, Cyrillic, punctuation, arrows and signs of mathematics.
RANGES = (
    *((0x20, 0x7E), (0xA0, 0x24F), (0x370, 0x3FF), (0x400, 0x45F), (0x1E00, 0x1EFF)),
    *((0x2010, 0x2044), (0x20AC, 0x20AC), (0x2190, 0x2195), (0x2200, 0x2265)),
)


def cut(source: Path, target: Path) -> None:
    options = subset.Options(hinting=False, layout_features=[], notdef_outline=True, name_IDs=["*"])
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "kern", "FFTM", "gasp", "DSIG", "meta"]
    font = subset.load_font(str(source), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[code for first, last in RANGES for code in range(first, last + 1)])
    cutter.subset(font)
    for row in font["name"].names:
        if row.nameID not in THEIR_NAMES:
            row.string = row.toUnicode().replace(THEIRS, OURS)
    subset.save_font(font, str(target), options)


if __name__ == "__main__":
    for name in FILES.values():
        source = Path(sys.argv[1]) / f"{name.replace(OURS, THEIRS)}.ttf"
        cut(source, FONTS / f"{name}.ttf")
