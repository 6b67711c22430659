"""Scripts that name no endpoint, and those that name Amazon's."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.models_work import MarketHit
from tests import servers
from tests.annotation.crowd.market.requesting import HIT, make_key

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, lab: Requester, tmp_path: Path) -> Any:
    """Nothing of AWS but the keys, as somebody sets them in a shell."""
    key = make_key(lab)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key.access_key)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key.secret)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    return monkeypatch


def run_script() -> str:
    """A script that names no endpoint, as it was written for MTurk."""
    with closing(boto3.session.Session().client("mturk", region_name="us-east-1")) as mturk:
        made = mturk.create_hit(**HIT)["HIT"]
        return str(mturk.get_hit(HITId=made["HITId"])["HIT"]["HITStatus"])


@pytest.mark.parametrize("path", ["/mturk/", "/mturk"])
def test_a_script_needs_nothing_but_the_environment(
    live_server: LiveServer, environment: pytest.MonkeyPatch, path: str
):
    environment.setenv("AWS_ENDPOINT_URL_MTURK", f"{live_server.url}{path}")
    assert run_script() == "Assignable"


@pytest.mark.parametrize("path", ["", "/", "/mturk/v1", "/api/v1/"])
def test_an_endpoint_elsewhere_on_the_server_says_what_to_set(
    live_server: LiveServer, environment: pytest.MonkeyPatch, path: str
):
    environment.setenv("AWS_ENDPOINT_URL_MTURK", f"{live_server.url}{path}")
    with pytest.raises(ClientError) as error:
        run_script()
    said = error.value.response
    assert said["Error"]["Code"] == "UnknownOperationException"
    assert said["ResponseMetadata"]["HTTPStatusCode"] == 404
    right = f"{live_server.url}/mturk/"
    assert "AWS_ENDPOINT_URL_MTURK" in said["Error"]["Message"]
    assert said["Error"]["Message"].endswith(f"to {right}")
    assert not MarketHit.objects.exists()


def test_pages_are_no_part_of_that():
    """A form that is posted without a token is refused as ever."""
    answer = Client(enforce_csrf_checks=True).post("/sign-in/", headers={"X-Amz-Target": "Other"})
    assert (answer.status_code, answer["Content-Type"]) == (403, "text/html; charset=utf-8")


STUBBORN = """
import boto3, sys
client = boto3.client(
    "mturk",
    region_name="us-east-1",
    endpoint_url="https://mturk-requester-sandbox.us-east-1.amazonaws.com",
)
assert boto3.client("s3", region_name="us-east-1", endpoint_url="http://s3.test/").meta
print(client.get_account_balance()["AvailableBalance"])
"""


def test_a_program_that_names_amazon_is_led_here_by_the_file_of_the_guide(
    live_server: LiveServer, environment: pytest.MonkeyPatch, tmp_path: Path
):
    """As docs/howto/mturk_script.md gives it: nothing of the program is changed."""
    guide = (servers.ROOT / "docs/howto/mturk_script.md").read_text()
    shim = guide.split("```python\n# sitecustomize.py")[1].split("```")[0]
    (tmp_path / "sitecustomize.py").write_text(f"# {shim}")
    environment.setenv("AWS_ENDPOINT_URL_MTURK", f"{live_server.url}/mturk/")
    environment.setenv("PYTHONPATH", str(tmp_path))
    line = [sys.executable, "-c", STUBBORN]
    done = subprocess.run(line, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "100.00"
