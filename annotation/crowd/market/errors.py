"""Refusals as the MTurk API words them: a type on the wire, and a TurkErrorCode inside it.

Clients look for MTurk's own sentences in the messages, so these come first, word for word. What
helps further stands after them.
"""

from __future__ import annotations

from decimal import Decimal

from annotation.crowd.market.content import DocumentError
from annotation.errors import DomainError

FAMILY = "AWS.MechanicalTurk."


class TurkError(DomainError):
    """What was asked for cannot be done; asking again will not help."""

    status = 400
    wire_type = "RequestError"

    def __init__(self, turk_code: str, message: str) -> None:
        self.turk_code = turk_code if turk_code.startswith("AWS.") else FAMILY + turk_code
        super().__init__(message)


class ServiceFault(TurkError):
    """The fault is ours, and asking again may help."""

    status = 500
    wire_type = "ServiceFault"


class AccessRefused(DomainError):
    """The request is not proven to come from a requester."""

    def __init__(self, wire_type: str, message: str, status: int = 403) -> None:
        super().__init__(message)
        self.wire_type = wire_type
        self.status = status


def missing(what: str, key: str) -> TurkError:
    """`what` is HIT, HITType, Assignment, Worker, QualificationType…"""
    name = "Hit" if what == "HIT" else what
    return TurkError(f"{what}DoesNotExist", f"{name} {key} does not exist.")


def wrong_state(what: str, key: str, state: str, allowed: str) -> TurkError:
    return TurkError(
        f"Invalid{what}State",
        f"This {what} is currently in the state '{state}'. "
        f"This operation can be called with a status of: {allowed}. It is {what} {key}.",
    )


def already_processed(turk_code: str, token: str, message: str) -> TurkError:
    """A UniqueRequestToken that was used before."""
    processed = f'The idempotency token "{token}" has already been processed.'
    return TurkError(turk_code, f"{processed} {message}")


def unreadable(name: str, error: DocumentError) -> TurkError:
    """A question, a test or an answer key that was refused."""
    return TurkError(
        "XMLParseError",
        "There was an error parsing the XML question or answer data in your request. "
        "Please make sure the data is well-formed and validates against the appropriate schema. "
        f"Details: {name}: {error}.",
    )


def own_work(what: str, key: str) -> TurkError:
    return TurkError(
        "OwnWork",
        f"{what} {key} was done by somebody who can, or could, decide for this requester, "
        "and nobody can approve or pay their own work. Nothing was changed.",
    )


def invalid(name: str, message: str, turk_code: str = "AWS.InvalidParameterValue") -> TurkError:
    return TurkError(turk_code, f"{name}: {message}")


def insufficient_funds(cost: Decimal) -> TurkError:
    return TurkError(
        "InsufficientFunds",
        "This Requester has insufficient funds in their account to complete this transaction. "
        f"Its prepaid budget does not cover ${cost:.2f}. "
        "The requester's page shows what is left. Ask the staff of this server to add to it.",
    )


def not_here(message: str) -> TurkError:
    """An operation or an option that has no meaning in this marketplace."""
    return TurkError("NotSupported", message)
