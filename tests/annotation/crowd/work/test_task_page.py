"""Addresses that pages written for Mechanical Turk name, in every spelling, lead to this server."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client

from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.work import accept_hit
from annotation.crowd.work.views_sandbox import lead_home, prepare_page
from tests.annotation.crowd.working import html_question, make_hit, make_type

HTTP, HTTPS = "http://giza.lab:8000", "https://giza.example.org"
PATH = "/mturk/externalSubmit"
AT = f"{PATH}?assignmentId=3X"


@pytest.mark.parametrize("origin", [HTTP, HTTPS])
@pytest.mark.parametrize(
    "markup",
    [
        '<form action="https://www.mturk.com/mturk/externalSubmit">',
        '<form method="post" action="http://www.mturk.com/mturk/externalSubmit">',
        "<form id='a'action='https://workersandbox.mturk.com/mturk/externalSubmit'>",
        "<form action=https://worker.mturk.com/mturk/externalSubmit>",
        '<form action="//www.mturk.com/mturk/externalSubmit">',
        '<FORM\nACTION = "//WorkerSandbox.MTurk.com/mturk/externalsubmit">',
        '<form action="/mturk/externalSubmit">',
        '<form action="/mturk/externalSubmit/">',
        "<form action=/mturk/externalSubmit>",
        '<button formaction="/mturk/externalSubmit">',
        '<input type=submit formaction="https://www.mturk.com/mturk/externalSubmit">',
        r"""<script>x.innerHTML = "<form action=\"\/mturk\/externalSubmit\">"</script>""",
    ],
)
def test_it_leads_every_form_home(origin: str, markup: str):
    led = lead_home(markup, origin, "3X")
    (address,) = re.findall(r"action\s*=\s*\\?[\"']?([^\\\"'\s>]+)", led, re.IGNORECASE)
    assert urljoin(f"{origin}/work/frame/3X/", address) == f"{origin}{AT}"


def test_a_query_in_the_text_stays():
    led = lead_home('<form action="/mturk/externalSubmit?hitId=3H">', HTTPS, "3X")
    assert led == f'<form action="{HTTPS}{AT}&hitId=3H">'


@pytest.mark.parametrize(
    "script, expected",
    [
        ("'https://www.mturk.com/mturk/externalSubmit'", f"'{HTTPS}{PATH}'"),
        (r'{"to": "https:\/\/www.mturk.com\/mturk\/externalSubmit"}', f'{{"to": "{HTTPS}{PATH}"}}'),
        ("'https:' + '//www.mturk.com/mturk/externalSubmit'", f"'https:' + '{HTTPS[6:]}{PATH}'"),
        (
            "'HTTPS://WWW.MTURK.COM/mturk/externalSubmit?assignmentId=' + id",
            f"'{HTTPS}{PATH}?assignmentId=' + id",
        ),
    ],
)
def test_of_a_script_it_changes_the_name_of_the_server(script: str, expected: str):
    assert lead_home(script, HTTPS, "3X") == expected


@pytest.mark.parametrize(
    "text",
    [
        "base + '/mturk/externalSubmit' + '?assignmentId=' + id",
        "form.action = '/mturk/externalSubmit'",
        "`${turkSubmitTo}/mturk/externalSubmit`",
        "if (path.endsWith('externalSubmit')) externalSubmit();",
        '<form action="https://lab.test/mturk/externalSubmit">',
        '<form action="https://www.mturk.com.evil.test/mturk/externalSubmit">',
        '<form action="https://evil-www.mturk.com/mturk/externalSubmit">',
        '<form action="/mturk/externalSubmitter">',
        '<form action="./x/mturk/externalSubmit">',
        '<form data-action="/mturk/externalSubmit">',
        "<!-- sent to /mturk/externalSubmit --> <p>/MTURK/EXTERNALSUBMIT</p>",
        "<img src=//cdn.test/a.png> <script src='//cdn.test/a.js'></script> // a comment",
    ],
)
def test_it_leaves_everything_else(text: str):
    assert lead_home(text, HTTP, "3X") == text
    assert prepare_page(text, HTTP, "3X").startswith(text)


def test_it_escapes_what_it_adds():
    assert '"><b>' not in lead_home('<form action="/mturk/externalSubmit"', HTTPS, '"><b>')
    assert '"><b>' not in prepare_page("", HTTPS, '"><b>')


@pytest.mark.parametrize(
    "action", ["//www.mturk.com/mturk/externalSubmit", "/mturk/externalSubmit"]
)
def test_it_takes_answers_that_name_no_assignment(
    client: Client, worker: WorkerAccount, action: str
):
    page = f'<form method="post" action="{action}"><input name="assignmentId" value=""></form>'
    hit = make_hit(make_type(), question=html_question(page))
    assignment = accept_hit(hit_id=hit.hit_id, worker=worker)
    response = client.get(f"/work/frame/{assignment.assignment_id}/", follow=True)
    html = response.content.decode()
    (found,) = re.findall(r'action="([^"]+)"', html)
    target = urlsplit(urljoin("http://testserver/work/frame/", found))
    assert target.netloc == "testserver"
    sent = client.post(
        f"{target.path}?{target.query}&assignmentId=", {"assignmentId": "", "s": "1"}
    )
    assert sent.status_code == 200
    assignment.refresh_from_db()
    assert assignment.status == "Submitted"


def test_our_script_may_run_in_a_page_of_a_server_without_https(
    client: Client, worker: WorkerAccount
):
    hit = make_hit(make_type(), question=html_question("<!doctype html><p>Hello"))
    assignment = accept_hit(hit_id=hit.hit_id, worker=worker)
    response = client.get(f"/work/frame/{assignment.assignment_id}/", follow=True)
    html = response.content.decode()
    assert html.startswith("<!doctype html>")
    scripts = re.findall(r'<script src="([^"]+)" data-assignment="([^"]+)">', html)
    assert [name.rpartition("/")[2] for name, _ in scripts] == ["task-page.js", "task-size.js"]
    policy = dict(part.split(" ", 1) for part in response["Content-Security-Policy"].split("; "))
    for script, assignment_id in scripts:
        assert assignment_id == assignment.assignment_id
        assert script.startswith("http://testserver/")
    assert "http:" in policy["script-src"].split()
