"""The error that every part of the library raises when it is given what it can't use."""

from __future__ import annotations


class InputError(ValueError):
    """What was given can't be used: a value, a file, a name. Says what was expected.

    A `ValueError` that is not one of these is a defect of the program.
    """


def name_type(value: object) -> str:
    """What a value is, for a message that expected something else."""
    if value is None:
        return "nothing"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
