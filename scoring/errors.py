"""The error that every part of the library raises when it is given what it can't use."""

from __future__ import annotations


class InputError(ValueError):
    """What was given can't be used: a value, a file, a name. Says what was expected.

    A `ValueError` that is not one of these is a defect of the program.
    """
