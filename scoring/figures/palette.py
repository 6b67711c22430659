"""Colours of files that stand alone: the light half of the pages' tokens."""

from __future__ import annotations

from scoring.errors import InputError
from scoring.translation import gettext as _

LIGHT = {
    "ground": "#faf8f4",
    "surface": "#ffffff",
    "sunken": "#f3efe7",
    "line": "#e4ded2",
    "edge": "#8f8777",
    "ink": "#1d1b16",
    "muted": "#6b655a",
    "lapis": "#1f4fa3",
    "present": "#1c7a4a",
    "absent": "#a8452f",
    "unsure": "#8a6000",
    "model": "#6a4bb0",
}


def light(colour: str) -> str:
    if colour not in LIGHT:
        raise InputError(
            _("There is no colour '{colour}'. Known: {light}.").format(
                colour=colour, light=", ".join(LIGHT)
            )
        )
    return LIGHT[colour]


def channels(colour: str) -> tuple[float, float, float]:
    """Red, green and blue from 0 to 1."""
    said = light(colour)
    red, green, blue = (int(said[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
