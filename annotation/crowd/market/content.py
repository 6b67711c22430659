"""XML that somebody sent: read without document types and entities, and with a limit.

- What a QuestionForm shows: text, lists, pictures and markup of strangers, made harmless.
- Pages of requesters that leave the form to the marketplace, as layouts of MTurk do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from html import unescape
from xml.parsers import expat

import nh3
from django.utils.html import format_html, format_html_join, linebreaks, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

MAX_BYTES = 65_535
SCHEMAS = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/"
MAX_DEPTH = 40


class DocumentError(ValueError):
    """XML that is refused: not well-formed, or not what MTurk's schemas ask for."""


@dataclass(slots=True)
class Node:
    """An element: its name without the namespace, its own text, its children."""

    name: str
    namespace: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Node] = field(default_factory=list)

    def all(self, name: str) -> Iterator[Node]:
        return (child for child in self.children if child.name == name)

    def find(self, name: str) -> Node | None:
        return next(self.all(name), None)

    def value(self, name: str, default: str = "") -> str:
        """The text of a child."""
        child = self.find(name)
        return default if child is None else child.text.strip()


class _Reader:
    def __init__(self) -> None:
        self.root: Node | None = None
        self.open: list[Node] = []
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse

    def read(self, text: str) -> Node:
        """An encoding that the XML declares is that of the file which the text was read from.

        Given text, expat goes by its characters; given bytes, by the declaration, which is not
        about ours.
        """
        try:
            self.parser.Parse(text, True)
        except expat.ExpatError as error:
            raise DocumentError(
                _("the XML is not well-formed: {error}").format(error=error)
            ) from error
        assert self.root is not None
        return self.root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= MAX_DEPTH:
            raise DocumentError(
                _("elements are nested more than {max_depth} deep").format(max_depth=MAX_DEPTH)
            )
        namespace, __, local = name.rpartition(" ")
        node = Node(local, namespace, attributes)
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node
        self.open.append(node)

    def _end(self, __: str) -> None:
        self.open.pop()

    def _data(self, text: str) -> None:
        self.open[-1].text += text

    def _refuse(self, *__: object) -> None:
        raise DocumentError(_("document types and entities are not allowed"))


def read_document(text: str, *roots: str) -> Node:
    """The root element, which must be one of `roots` in MTurk's namespace."""
    if (size := len(text.encode())) > MAX_BYTES:
        raise DocumentError(
            _("{size:,} bytes of UTF-8 are more than {max_bytes:,}").format(
                size=size, max_bytes=MAX_BYTES
            )
        )
    root = _Reader().read(text)
    if root.name not in roots:
        raise DocumentError(
            _("the root element is {root}; expected {roots}").format(
                root=root.name, roots=" or ".join(roots)
            )
        )
    if not (root.namespace.startswith(SCHEMAS) and root.namespace.endswith(f"/{root.name}.xsd")):
        expected = f"{SCHEMAS}<version>/{root.name}.xsd"
        raise DocumentError(
            _("{root} is not in its namespace, {expected}").format(
                root=root.name, expected=expected
            )
        )
    return root


# nh3's own list has nothing that runs, and with these two all of MTurk's FormattedContent.
TAGS = nh3.ALLOWED_TAGS | {"big", "font"}
ATTRIBUTES = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title", "width", "height"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start"},
}
FORCED = {"a": {"target": "_blank"}, "img": {"referrerpolicy": "no-referrer"}}
SCHEMES = {"http", "https", "mailto"}


def clean_html(html: str) -> SafeString:
    """The markup without scripts, styles, forms, frames and addresses of our own."""
    return mark_safe(
        nh3.clean(
            html,
            tags=TAGS,
            attributes=ATTRIBUTES,
            set_tag_attribute_values=FORCED,
            url_schemes=SCHEMES,
            url_relative="deny",
        )
    )


def render_content(node: Node | None) -> SafeString:
    """QuestionContent, Overview or a Selection as HTML."""
    children = node.children if node else []
    if any(child.name == "Application" for child in children):
        raise DocumentError(
            _(
                "Application isn't supported: browsers no longer run Java applets and Flash. Use "
                "FormattedContent, or an HTMLQuestion in place of the QuestionForm"
            )
        )
    return join_html(SHOWN[child.name](child) for child in children if child.name in SHOWN)


def join_html(parts: Iterable[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in parts))


def read_words(node: Node | None) -> str:
    """The same without markup, for labels and messages."""
    html = render_content(node).replace("<", " <")
    return " ".join(unescape(strip_tags(html)).split())


def _title(node: Node) -> SafeString:
    return format_html("<h2>{}</h2>", node.text.strip())


def _text(node: Node) -> SafeString:
    return mark_safe(linebreaks(node.text.strip(), autoescape=True))


def _list(node: Node) -> SafeString:
    entries = ((item.text.strip(),) for item in node.all("ListItem"))
    return format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", entries))


def _formatted(node: Node) -> SafeString:
    return clean_html(node.text)


def _binary(node: Node) -> SafeString:
    """A picture is shown; for anything else there is a link with its alternative text."""
    mime = node.find("MimeType") or node.find("EmbeddedMimeType")
    url, alt = node.value("DataURL"), node.value("AltText")
    if mime is not None and mime.value("Type") == "image":
        return clean_html(format_html('<p><img src="{}" alt="{}"></p>', url, alt))
    return clean_html(format_html('<p><a href="{}">{}</a></p>', url, alt or url))


SHOWN: dict[str, Callable[[Node], SafeString]] = {
    "Title": _title,
    "Text": _text,
    "List": _list,
    "FormattedContent": _formatted,
    "Binary": _binary,
    "EmbeddedBinary": _binary,
}


# A form of its own, or a script that makes one or knows where to send it.
HAS_FORM = re.compile(
    r"<(?:crowd-)?form\b|createElement\(\s*[\"'`]form|externalSubmit|turkSubmitTo", re.IGNORECASE
)
HAS_BUTTON = re.compile(r"\btype\s*=\s*[\"']?submit\b", re.IGNORECASE)
# Where the content begins, the surest sign first; and where it ends.
STARTS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (r"<body\b[^>]*>", r"</head\s*>", r"<html\b[^>]*>", r"<!doctype\b[^>]*>")
]
ENDS = ("</body", "</html")


def wrap_in_form(html: str, *, action: str, assignment_id: str, is_preview: bool) -> str:
    """The page within a form with a button, by the names that scripts of layouts look for."""
    if HAS_FORM.search(html):
        return html
    start, end = _find_content(html)
    opening = format_html(
        '<form name="mturk_form" method="post" id="mturk_form" action="{}">'
        '<input type="hidden" name="assignmentId" id="assignmentId" value="{}">',
        action,
        assignment_id,
    )
    button = "" if HAS_BUTTON.search(html) else _button(is_preview)
    return f"{html[:start]}{opening}{html[start:end]}{button}</form>{html[end:]}"


def _find_content(html: str) -> tuple[int, int]:
    found = next(filter(None, (pattern.search(html) for pattern in STARTS)), None)
    start = found.end() if found else 0
    lower = html.lower()
    ends = [position for tag in ENDS if (position := lower.rfind(tag)) >= start]
    return start, min(ends, default=len(html))


def _button(is_preview: bool) -> str:
    state = ' value="Accept the HIT to submit" disabled' if is_preview else ' value="Submit"'
    return f'<p><input type="submit" id="submitButton"{state}></p>'
