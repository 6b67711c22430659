"""XML from strangers, parsed without what makes it dangerous.

The pyramid files of DUC and TAC carry a document type with the declarations of their elements,
so a document type alone can't be refused. What it may not do is declare an entity, name anything
outside the file, or give an attribute a value of its own: then nothing grows or is fetched.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from scoring.errors import InputError
from scoring.translation import gettext as _

MAX_DEPTH = 50


class RefusedXml(InputError):
    """Not XML, or XML that is not taken: (what is wrong, where, what was expected)."""

    def __init__(self, message: str, line: int | None, expected: str) -> None:
        super().__init__(message)
        self.message, self.line, self.expected = message, line, expected


def parse_xml(data: bytes) -> Element:
    """The root element of *data*; raises `RefusedXml` on anything but plain, whole XML."""
    parser = expat.ParserCreate()
    tree = _Tree(parser)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        message = _("The file is not XML: {ErrorString}.").format(
            ErrorString=expat.ErrorString(error.code)
        )
        raise RefusedXml(message, error.lineno, _("well-formed XML.")) from None
    except (LookupError, ValueError) as error:
        if isinstance(error, RefusedXml):
            raise
        raise RefusedXml(_("Unknown encoding."), 1, "UTF-8.") from None
    return tree.builder.close()


class _Tree:
    """Builds elements from what the parser meets, and stops it at what is refused."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        self.builder = TreeBuilder()
        self._parser = parser
        self._depth = 0
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.AttlistDeclHandler = self._attributes
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._refuse(
                _("Elements are nested too deeply."),
                _("at most {max_depth} levels.").format(max_depth=MAX_DEPTH),
            )
        self.builder.start(tag, attributes)

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self.builder.end(tag)

    def _text(self, data: str) -> None:
        self.builder.data(data)

    def _doctype(self, name: str, system: str | None, public: str | None, inner: bool) -> None:
        if system or public:
            self._refuse(_("The document type names another file."), _("declarations in the file."))

    def _entity(self, name: str, *__: object) -> None:
        self._refuse(
            _("The file declares the entity '{name}'.").format(name=name),
            _("no entities of its own."),
        )

    def _attributes(
        self, element: str, name: str, kind: str, default: str | None, required: bool
    ) -> None:
        if default is not None:
            message = _("The document type gives the attribute '{name}' a value.").format(name=name)
            self._refuse(message, _("values in the elements themselves."))

    def _refuse(self, message: str, expected: str) -> None:
        raise RefusedXml(message, self._parser.CurrentLineNumber, expected)
