"""What somebody entered, back in the form of a page that was made anew."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from annotation.refill import is_private, refill

HOSTILE = '"><script>x</script>'


def filled(html: str, query: str, target: str = "/there/") -> str | None:
    return refill(html, "/here/", target, parse_qsl(query, keep_blank_values=True))


def form(inner: str, action: str = "/there/", more: str = "") -> str:
    return f'<p>before</p><form method="post" action="{action}"{more}>{inner}</form><p>after</p>'


def test_it_fills_in_every_kind_of_field():
    html = form(
        '<input name="a" value="old"><input type="checkbox" name="b" value="1">'
        '<input type="checkbox" name="b" value="2" checked><textarea name="c">\nold</textarea>'
        '<select name="d"><option value="x" selected><option value="y"></select>'
        '<input type="radio" name="e" value="l"><input type="radio" name="e" value="r" checked>'
    )
    found = filled(html, "a=new&b=1&c=more&d=y&e=l")
    assert found == form(
        '<input name="a" value="new"><input type="checkbox" name="b" value="1" checked>'
        '<input type="checkbox" name="b" value="2"><textarea name="c">\nmore</textarea>'
        '<select name="d"><option value="x"><option value="y" selected></select>'
        '<input type="radio" name="e" value="l" checked><input type="radio" name="e" value="r">'
    )


def test_it_escapes_what_was_entered():
    html = form('<input name="a"><textarea name="c"></textarea>')
    found = filled(html, urlencode({"a": HOSTILE, "c": HOSTILE}))
    assert found is not None
    assert "<script>" not in found
    assert found.count("&lt;script&gt;") == 2


def test_it_keeps_what_belongs_to_the_page():
    """A price that was shown, a key that counts a press once, a password, a file."""
    html = form(
        '<input type="hidden" name="total" value="2"><input type="password" name="password">'
        '<input name="secret" value=""><input type="file" name="file"><input name="a" readonly>'
    )
    assert filled(html, "total=1&password=p&secret=s&file=f&a=1") == html


def test_several_fields_of_a_name_keep_their_order():
    html = form('<input name="a"><input name="a">')
    assert filled(html, "a=1&a=2") == form('<input name="a" value="1"><input name="a" value="2">')


def test_it_finds_the_form_by_its_address_fields_and_hidden_values():
    other = form('<input name="a">', "/elsewhere/") + form('<input name="b">')
    first = form('<input type="hidden" name="kind" value="1"><input name="a">', "../there/")
    second = form('<input type="hidden" name="kind" value="2"><input name="a">', "/there/?x=1")
    found = filled(other + first + second, "kind=2&a=new")
    assert found == other + first + second.replace('name="a"', 'name="a" value="new"')
    assert filled(other + first, "a=new&c=1") is None
    assert filled('<form method="get" action="/there/"><input name="a"></form>', "a=1") is None


def test_a_form_without_an_address_leads_to_its_page():
    html = '<form method="post"><input name="a"></form>'
    assert refill(html, "/here/?page=2", "/here/", [("a", "1")]) is not None
    assert refill(html, "/here/", "/there/", [("a", "1")]) is None


def test_fields_outside_of_the_form_belong_to_it():
    html = '<input type="checkbox" name="w" value="3" form="f">' + form("", more=' id="f"')
    assert filled(html, "w=3") == html.replace('form="f"', 'form="f" checked')


def test_it_opens_the_boxes_that_the_form_stands_in():
    html = f"<details><summary>More</summary>{form('<input name=a>')}</details><details></details>"
    found = filled(html, "a=1")
    assert found is not None
    assert found.startswith("<details open>")
    assert found.endswith("<details></details>")


def test_nothing_in_a_template_or_a_remark_is_a_field():
    html = '<!-- <form><input name="z"> --><template><input name="a"></template>'
    html = form(f'{html}<input name="a">')
    after = '</template><input name="a"'
    assert filled(html, "a=1") == html.replace(after, f'{after} value="1"')


def test_lines_of_every_kind_count_as_one_text():
    html = form("line\r\nline\x0bline\u2028line\n<b>é🦜</b>\n<input name='a'>\n")
    found = filled(html, "a=1")
    assert found == html.replace("<input name='a'>", '<input name="a" value="1">')


def test_it_knows_what_is_private():
    assert [is_private(name) for name in ("password", "new_password1", "reset_code", "text")] == [
        True,
        True,
        True,
        False,
    ]
    assert not is_private("csrfmiddlewaretoken")
