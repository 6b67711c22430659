"""`/mturk/preview?groupId=…`, the address that programs print once they have created HITs."""

from __future__ import annotations

from django.test import Client

from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.work import accept_hit
from tests.annotation.crowd.market.requesting import HIT, ask
from tests.annotation.crowd.market.requesting import make_requester as make_lab
from tests.annotation.crowd.working import make_hit, make_type, make_worker


def preview(group_id: str) -> str:
    return f"/mturk/preview?groupId={group_id}"


def test_it_leads_to_the_first_hit_of_the_group(at_work: Client):
    lab = make_lab()
    first, second = (ask(lab, "CreateHIT", **HIT)["HIT"] for _ in range(2))
    assert first["HITGroupId"] == second["HITGroupId"]
    response = at_work.get(preview(first["HITGroupId"]), follow=True)
    assert response.redirect_chain == [(f"/work/hits/{first['HITId']}/", 302)]
    assert str(HIT["Title"]) in response.content.decode()


def test_it_takes_the_id_of_the_hit_type(at_work: Client):
    made = ask(make_lab(), "CreateHIT", **HIT)["HIT"]
    response = at_work.get(preview(made["HITTypeId"]))
    assert response["Location"] == f"/work/hits/{made['HITId']}/"


def test_it_prefers_what_the_worker_can_take(at_work: Client, worker: WorkerAccount):
    kind = make_type()
    first, second = make_hit(kind, places=1), make_hit(kind, places=1)
    accept_hit(hit_id=first.hit_id, worker=make_worker("Other"))
    response = at_work.get(preview(kind.group_id))
    assert response["Location"] == f"/work/hits/{second.hit_id}/"
    accept_hit(hit_id=second.hit_id, worker=worker)
    response = at_work.get(preview(kind.group_id))
    assert response["Location"] == f"/work/hits/{first.hit_id}/", "there is nothing else to show"


def test_it_says_what_is_not_there(at_work: Client):
    empty = make_type()
    for group_id, words in (
        (empty.group_id, "no HITs"),
        ("NONE", "no such group"),
        ("", "no such"),
    ):
        response = at_work.get(preview(group_id))
        assert response.status_code == 404
        assert words in response.content.decode()


def test_it_asks_who_it_is_first(client: Client, worker: WorkerAccount):
    response = client.get(preview(make_hit(make_type()).hit_type.group_id))
    assert response.status_code == 302
    assert "next=/mturk/preview%3FgroupId%3D" in response["Location"]
