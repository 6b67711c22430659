"""XML that somebody sent: read without document types and entities, and with a limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from annotation.translation import gettext as _

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
