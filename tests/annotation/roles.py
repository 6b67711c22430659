"""Rows of the table of permissions: what each address answers to whom, by method."""

from __future__ import annotations

from annotation.corpora.projects.models import Role

VIEWER, ANNOTATOR, EDITOR, OWNER = Role.VIEWER, Role.ANNOTATOR, Role.EDITOR, Role.OWNER
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
MEMBERS = ["owner", "editor", "annotator", "viewer"]
SIGNED_IN = [*MEMBERS, "outsider"]
EVERYBODY = [*SIGNED_IN, "anonymous"]

Answers = dict[str, int]
Row = dict[str, Answers]


def everybody(**statuses: int) -> Row:
    """Open to all; a method that is not named is not allowed."""
    return {method: dict.fromkeys(EVERYBODY, statuses.get(method, 405)) for method in METHODS}


def signed_in(stranger: int, **statuses: int) -> Row:
    row = everybody(**statuses)
    return {
        method: answers | {"anonymous": ask_in(stranger, method)} for method, answers in row.items()
    }


def ask_in(stranger: int, method: str) -> int:
    """Pages lead strangers to the page for signing in. A form gets that page with itself in it."""
    return 401 if (stranger, method) == (302, "POST") else stranger


def project(stranger: int, floor: Role, **needs: tuple[Role, int]) -> Row:
    """Below `floor` nothing is allowed, not even to hear that a method isn't there."""
    return {
        method: {
            **{name: _answer(Role(name), floor, needs.get(method)) for name in MEMBERS},
            "outsider": 404,
            "anonymous": ask_in(stranger, method),
        }
        for method in METHODS
    }


def _answer(role: Role, floor: Role, need: tuple[Role, int] | None) -> int:
    least, status = need or (floor, 405)
    return status if role.rank >= max(least.rank, floor.rank) else 403


def page(least: Role, **statuses: int) -> Row:
    return project(302, least, **{method: (least, status) for method, status in statuses.items()})


def call(**needs: tuple[Role, int]) -> Row:
    return project(401, Role.VIEWER, **needs)


def but(row: Row, method: str, **answers: int) -> Row:
    return row | {method: row[method] | answers}


def let_in(row: Row, *methods: str) -> Row:
    """For people whom staff or an owner let in; the outsider came as a worker."""
    for method in methods:
        row = but(row, method, outsider=403)
    return row
