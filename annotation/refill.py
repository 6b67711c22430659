"""Puts what somebody entered back into the form of a page that was made anew.

The page is read once by the library's parser, which finds forms and controls; then only the tags of
that one form are written again. The rest of the page stays as it is, letter by letter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape, unescape
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

Attributes = dict[str, str | None]
Edit = tuple[int, int, str]
Fields = Iterable[tuple[str, str]]

PRIVATE_FIELDS = ("password", "secret", "token", "code")
TOKEN = "csrfmiddlewaretoken"
CHOSEN = ("checkbox", "radio")
# What these hold is of the page: a price that was shown, a key that makes a press count once.
KEPT = ("hidden", "submit", "button", "image", "reset", "file", "password")


def is_private(name: str) -> bool:
    """Never shown again, and not carried along."""
    return name != TOKEN and any(word in name.lower() for word in PRIVATE_FIELDS)


@dataclass(slots=True)
class Control:
    """A field of a form: its tag, where that stands, and where its contents end."""

    tag: str
    attributes: Attributes
    start: int
    end: int
    # Of a textarea.
    close: int = 0
    # Of a select: its options.
    options: list[Control] = field(default_factory=list)
    text: str = ""

    @property
    def name(self) -> str:
        return self.attributes.get("name") or ""

    @property
    def kind(self) -> str:
        is_typed = self.tag in ("input", "button")
        return (self.attributes.get("type") or "text").lower() if is_typed else self.tag

    @property
    def value(self) -> str:
        given = self.attributes.get("value")
        if given is not None:
            return given
        return "on" if self.kind in CHOSEN else self.text.strip()

    @property
    def is_kept(self) -> bool:
        off = {"disabled", "readonly"} & self.attributes.keys()
        return self.kind in KEPT or self.tag == "button" or bool(off) or is_private(self.name)


@dataclass(slots=True)
class Form:
    action: str
    is_post: bool
    controls: list[Control] = field(default_factory=list)
    # Closed boxes that it stands in.
    around: list[Control] = field(default_factory=list)


class _Reader(HTMLParser):
    """Forms with their controls, and the place of each in the text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=False)
        self.forms: list[Form] = []
        self._by_id: dict[str, Form] = {}
        self._loose: list[tuple[str, Control]] = []
        self._form: Form | None = None
        self._select: Control | None = None
        self._open: Control | None = None
        self._boxes: list[Control] = []
        # Within a template nothing is a control yet.
        self._idle = 0
        self._lines = [0]
        # The parser counts line feeds only.
        for line in html.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self.feed(html)
        self.close()
        for form_id, control in self._loose:
            if form_id in self._by_id:
                self._by_id[form_id].controls.append(control)

    def _here(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._idle += tag == "template"
        if self._idle:
            return
        start = self._here()
        made = Control(tag, dict(attrs), start, start + len(self.get_starttag_text() or ""))
        if tag == "form":
            self._begin_form(made)
        elif tag == "details":
            self._boxes.append(made)
        elif tag in ("input", "textarea", "select", "button"):
            self._add(made)
        elif tag == "option" and self._select is not None:
            self._select.options.append(made)
            self._open = made

    def _begin_form(self, made: Control) -> None:
        given = made.attributes
        is_post = (given.get("method") or "").lower() == "post"
        self._form = Form(given.get("action") or "", is_post, around=list(self._boxes))
        self.forms.append(self._form)
        self._by_id[given.get("id") or ""] = self._form

    def _add(self, made: Control) -> None:
        owner = made.attributes.get("form")
        if owner:
            self._loose.append((owner, made))
        elif self._form is not None:
            self._form.controls.append(made)
        if made.tag == "select":
            self._select = made
        if made.tag == "textarea":
            self._open = made

    def handle_endtag(self, tag: str) -> None:
        if self._idle:
            self._idle -= tag == "template"
        elif tag == "form":
            self._form = None
        elif tag == "details" and self._boxes:
            self._boxes.pop()
        elif tag == "select":
            self._select = None
        elif self._open is not None and tag == self._open.tag:
            self._open.close = self._here()
            self._open = None

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self._open.text += data

    def handle_entityref(self, name: str) -> None:
        self.handle_data(unescape(f"&{name};"))

    def handle_charref(self, name: str) -> None:
        self.handle_data(unescape(f"&#{name};"))


def read_forms(html: str) -> list[Form]:
    return _Reader(html).forms


def refill(html: str, address: str, target: str, fields: Fields) -> str | None:
    """The page at `address` with what was sent to `target`.

    None if no form on it has all of the fields.
    """
    entered: dict[str, list[str]] = {}
    for name, value in fields:
        entered.setdefault(name, []).append(value)
    forms = [form for form in read_forms(html) if _leads_to(form, address, target)]
    fitting = [form for form in forms if entered.keys() <= {row.name for row in form.controls}]
    if not fitting:
        return None
    form = max(fitting, key=lambda row: _count_kept(row, entered))
    return _apply(html, [*_fill(form, entered), *_unfold(form)])


def _leads_to(form: Form, address: str, target: str) -> bool:
    return form.is_post and urlsplit(urljoin(address, form.action)).path == target


def _count_kept(form: Form, entered: dict[str, list[str]]) -> int:
    """Forms for one address differ by what their hidden fields say."""
    hidden = (row for row in form.controls if row.is_kept)
    return sum(row.value in entered.get(row.name, []) for row in hidden)


def _fill(form: Form, entered: dict[str, list[str]]) -> Iterable[Edit]:
    left = {name: list(values) for name, values in entered.items()}
    for control in form.controls:
        if not control.name or control.is_kept:
            continue
        values = left.get(control.name, [])
        if control.kind in CHOSEN:
            yield _mark(control, "checked", control.value in values)
        elif control.tag == "select":
            for option in control.options:
                yield _mark(option, "selected", option.value in values)
        elif values:
            yield _write(control, values.pop(0))


def _mark(control: Control, name: str, is_on: bool) -> Edit:
    rest = {key: value for key, value in control.attributes.items() if key != name}
    return _tag(control, rest | ({name: None} if is_on else {}))


def _write(control: Control, value: str) -> Edit:
    if control.tag == "textarea":
        # A browser drops the first line break.
        return control.end, control.close, f"\n{escape(value)}"
    return _tag(control, control.attributes | {"value": value})


def _unfold(form: Form) -> Iterable[Edit]:
    return [_mark(box, "open", is_on=True) for box in form.around]


def _tag(control: Control, attributes: Attributes) -> Edit:
    written = (
        f" {name}" if value is None else f' {name}="{escape(value)}"'
        for name, value in attributes.items()
    )
    return control.start, control.end, f"<{control.tag}{''.join(written)}>"


def _apply(html: str, edits: Iterable[Edit]) -> str:
    parts, at = [], 0
    for start, end, text in sorted(edits):
        parts += [html[at:start], text]
        at = end
    return "".join([*parts, html[at:]])
