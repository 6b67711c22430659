"""What a QuestionForm shows: text, lists, pictures and markup of strangers, made harmless."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import unescape

import nh3
from django.utils.html import format_html, format_html_join, linebreaks, strip_tags
from django.utils.safestring import SafeString, mark_safe

from annotation.crowd.market.documents import DocumentError, Node
from annotation.translation import gettext as _

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
