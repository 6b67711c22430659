"""Whatever is sent to whichever operation: an answer in the model's shape, or a named refusal."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from botocore.model import ListShape, Shape, StructureShape
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.crowd.market.errors import TurkError
from annotation.crowd.market.validation import get_operation, load_model
from tests.annotation.corpora.places import undone
from tests.annotation.crowd.market.requesting import HIT, ask, make_hit, make_requester, work
from tests.annotation.crowd.working import make_worker

pytestmark = pytest.mark.django_db

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=8),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=2),
)
NUMBERS = st.sampled_from([0, 1, 3, 30, 60, 3600, 2**31 - 1, 2**63 - 1, -1])
TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["AZ09", "0.05", "1", "\ud800", str(HIT["Question"]), "http://127.0.0.1:1/"]),
)


def values(shape: Shape, known: dict[str, list[str]], name: str = "") -> st.SearchStrategy[Any]:
    """Mostly what the shape describes, and ids that are there; now and then anything at all."""
    plausible = _plausible(shape, known, name)
    return st.one_of(plausible, plausible, plausible, JUNK)


def _plausible(shape: Shape, known: dict[str, list[str]], name: str) -> st.SearchStrategy[Any]:
    if isinstance(shape, StructureShape):
        members = {key: values(item, known, key) for key, item in shape.members.items()}
        needed = {key: members.pop(key) for key in shape.required_members}
        return st.fixed_dictionaries(needed, optional=members)
    if isinstance(shape, ListShape):
        return st.lists(values(shape.member, known, name.removesuffix("s")), max_size=3)
    if name in known:
        return st.sampled_from(known[name])
    if shape.metadata.get("enum"):
        return st.sampled_from(shape.metadata["enum"])
    kinds = {"integer": NUMBERS, "long": NUMBERS, "boolean": st.booleans(), "timestamp": NUMBERS}
    return kinds.get(shape.type_name, TEXTS)


def make_known() -> tuple[Any, dict[str, list[str]]]:
    """A requester with something of everything, and the ids of it."""
    lab, worker = make_requester(), make_worker()
    hit = make_hit(lab)
    taken = work(hit, worker)
    kind = ask(
        lab,
        "CreateQualificationType",
        Name="Reader",
        Description="Reads.",
        QualificationTypeStatus="Active",
    )["QualificationType"]["QualificationTypeId"]
    return lab, {
        "HITId": [hit.hit_id],
        "HITTypeId": [hit.hit_type.hit_type_id],
        "AssignmentId": [taken.assignment_id],
        "WorkerId": [worker.worker_id],
        "QualificationTypeId": [kind, "00000000000000000071"],
    }


@pytest.mark.parametrize("operation", sorted(load_model().operation_names))
def test_it_answers_or_refuses(operation: str):
    lab, known = make_known()
    model = get_operation(operation)
    assert model is not None
    shape = model.input_shape

    @settings(
        max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(params=values(shape, known))
    def check(params: Any) -> None:
        with undone():
            if not isinstance(params, dict):
                return
            with suppress(TurkError):
                ask(lab, operation, **{str(name): value for name, value in params.items()})

    check()
