"""MTurk keys belong to a person, have a scope and an end, and end with what they rest on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError
from django.test import Client
from django.utils import timezone

from annotation.corpora.accounts.models import KeyScope, User
from annotation.corpora.activity.models import Activity
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.crowd.market.models_accounts import Requester, RequesterKey
from annotation.crowd.market.operations import OPERATIONS
from annotation.crowd.market.protocol import PAY, PUBLISH, READ, SCOPES
from annotation.crowd.market.requesters import create_key, create_requester
from annotation.errors import DomainError
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.annotation.crowd.market.requesting import HIT
from tests.annotation.crowd.wire import Wire
from tests.factories import add_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def second(project: Project) -> User:
    """Another owner of the project."""
    user = make_user("Second")
    add_member(project, user, Role.OWNER)
    return user


@pytest.fixture
def requester(project: Project) -> Requester:
    return create_requester(name="Study", project=project)


def client_for(key: RequesterKey) -> Any:
    return Wire().make_client("http://testserver/mturk/", key.access_key, key.secret)


def refusal(key: RequesterKey, operation: str = "get_account_balance", **params: Any) -> str:
    """The code of the error that boto3 reads, or nothing."""
    try:
        getattr(client_for(key), operation)(**params)
    except ClientError as error:
        return str(error.response["Error"]["Code"])
    return ""


# Scopes ---------------------------------------------------------------------------------------


def test_every_operation_has_one_scope():
    assert len(OPERATIONS) == 39
    assert sorted([*READ, *PUBLISH, *PAY]) == sorted(OPERATIONS)
    for name in OPERATIONS:
        if name.startswith(("Get", "List")):
            assert SCOPES[name] == KeyScope.READ, name
        else:
            assert SCOPES[name] != KeyScope.READ, name


@pytest.mark.parametrize(
    ("scope", "refused"),
    [
        ("read", ["create_hit", "approve_assignment", "send_bonus"]),
        ("publish", ["approve_assignment", "reject_assignment", "send_bonus"]),
        ("pay", []),
    ],
)
def test_a_key_does_only_what_its_scope_allows(
    scope: str, refused: list[str], requester: Requester, owner: User
):
    key = create_key(requester=requester, user=owner, scope=scope)
    calls: dict[str, dict[str, Any]] = {
        "get_account_balance": {},
        "list_hits": {},
        "create_hit": HIT,
        "approve_assignment": {"AssignmentId": "NONE"},
        "reject_assignment": {"AssignmentId": "NONE", "RequesterFeedback": "No."},
        "send_bonus": {
            "WorkerId": "NONE",
            "BonusAmount": "1",
            "AssignmentId": "NONE",
            "Reason": "Well done.",
        },
    }
    codes = {name: refusal(key, name, **params) for name, params in calls.items()}
    denied = [name for name, code in codes.items() if code == "AccessDeniedException"]
    assert [name for name in refused if name not in denied] == []
    if scope != "read":
        assert denied == refused
    assert set(codes.values()) <= {"", "RequestError", "AccessDeniedException"}


def test_the_refusal_says_what_is_missing(requester: Requester, owner: User):
    key = create_key(requester=requester, user=owner)
    with pytest.raises(ClientError, match="needs 'publish'") as caught:
        client_for(key).create_hit(**HIT)
    assert caught.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400


# Whose they are -------------------------------------------------------------------------------


def test_it_is_given_only_to_who_may_use_the_requester(
    requester: Requester, owner: User, outsider: User
):
    with pytest.raises(DomainError, match="isn't allowed"):
        create_key(requester=requester, user=outsider)
    outsider.is_staff = True
    outsider.save()
    assert create_key(requester=requester, user=outsider).user == outsider


def test_it_dies_with_the_membership(requester: Requester, owner: User, second: User):
    key = create_key(requester=requester, user=second, scope="pay")
    kept = create_key(requester=requester, user=owner)
    assert refusal(key) == ""
    membership = Membership.objects.get(user=second, project=requester.project)
    projects_service.remove_member(membership=membership, user=owner)
    assert refusal(key) == "UnrecognizedClientException"
    assert refusal(kept) == ""
    assert Activity.objects.filter(text__contains=f"revoked the key {key}").exists()
    add_member(requester.project, second, Role.OWNER)  # type: ignore[arg-type]
    assert refusal(key) == "UnrecognizedClientException"


def test_it_dies_with_the_role(requester: Requester, owner: User, second: User):
    key = create_key(requester=requester, user=second)
    membership = Membership.objects.get(user=second, project=requester.project)
    projects_service.change_role(membership=membership, role=Role.EDITOR, user=owner)
    assert refusal(key) == "UnrecognizedClientException"
    assert not RequesterKey.objects.filter(pk=key.pk).exists()


def test_it_dies_with_the_account(owner: User):
    key = create_key(requester=create_requester(name="Lab", owner=owner), user=owner)
    assert refusal(key) == ""
    owner.is_active = False
    owner.save()
    owner.is_active = True
    owner.save()
    assert refusal(key) == "UnrecognizedClientException"


def test_it_dies_with_staff_rights(outsider: User, requester: Requester):
    outsider.is_staff = True
    outsider.save()
    key = create_key(requester=requester, user=outsider)
    outsider.is_staff = False
    outsider.save(update_fields=["is_staff"])
    assert refusal(key) == "UnrecognizedClientException"


def test_it_dies_when_the_requester_goes_to_somebody_else(owner: User, outsider: User):
    requester = create_requester(name="Lab", owner=owner)
    key = create_key(requester=requester, user=owner)
    requester.owner = outsider
    requester.save()
    assert not RequesterKey.objects.filter(pk=key.pk).exists()


@pytest.mark.parametrize("change", ["account", "membership"])
def test_it_is_refused_though_its_row_is_there(
    change: str, requester: Requester, second: User, owner: User
):
    """As after a change by SQL, which no signal sees."""
    key = create_key(requester=requester, user=second)
    if change == "account":
        User.objects.filter(pk=second.pk).update(is_active=False)
    else:
        Membership.objects.filter(user=second).update(role=Role.VIEWER)
    assert RequesterKey.objects.filter(pk=key.pk).exists()
    assert refusal(key) == "UnrecognizedClientException"


def test_it_goes_with_its_project(requester: Requester, owner: User):
    key = create_key(requester=requester, user=owner)
    assert requester.project is not None
    projects_service.delete_project(project=requester.project)
    assert not RequesterKey.objects.filter(pk=key.pk).exists()


def test_it_expires(requester: Requester, owner: User):
    key = create_key(requester=requester, user=owner, days=30)
    assert refusal(key) == ""
    RequesterKey.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert refusal(key) == "ExpiredTokenException"


# Pages ----------------------------------------------------------------------------------------


def test_its_holder_revokes_it_on_the_account_page(requester: Requester, second: User):
    key = create_key(requester=requester, user=second, scope="publish")
    client = sign_in(second)
    page = page_of(client.get("/account/"))
    assert key.access_key in page.text
    assert "Read and publish" in page.text
    address = f"/account/requesters/{requester.pk}/keys/{key.pk}/revoke/"
    done = client.post(address, {"next": "/account/"})
    assert done["Location"] == "/account/"
    assert not RequesterKey.objects.exists()
    assert client.post(address).status_code == 404


def test_owners_see_and_revoke_the_keys_of_a_project(
    requester: Requester, second: User, as_owner: Client, as_viewer: Client
):
    key = create_key(requester=requester, user=second)
    members = "/p/study/members/"
    assert key.access_key in page_of(as_owner.get(members)).text
    assert key.access_key not in page_of(as_viewer.get(members)).text
    address = f"/account/requesters/{requester.pk}/keys/{key.pk}/revoke/"
    assert as_viewer.post(address).status_code == 404
    assert as_owner.post(address, {"next": "https://evil.test"})["Location"] == (
        f"/account/requesters/{requester.pk}/"
    )
    assert refusal(key) == "UnrecognizedClientException"


def test_the_page_makes_a_key_with_scope_and_end(requester: Requester, as_owner: Client):
    address = f"/account/requesters/{requester.pk}/keys/"
    assert as_owner.post(address, {}).status_code == 422
    assert as_owner.post(address, {"scope": "publish", "days": "30"}).status_code == 302
    key = RequesterKey.objects.get()
    assert (key.scope, key.user) == ("publish", User.objects.get(name="Owner"))
    assert key.expires_at is not None
    assert timedelta(days=29) < key.expires_at - timezone.now() < timedelta(days=31)
