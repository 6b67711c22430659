"""QuestionForms for tests: one with every limit, what fits it, and its Answer read back."""

from __future__ import annotations

from xml.etree import ElementTree

from annotation.crowd.market.answers import NAMESPACE
from tests.annotation.crowd.working import SCHEMAS

HOSTILE = (
    "<p>Look at <b>this</b>.</p><script>alert(1)</script>"
    '<img src="https://pictures.example.org/dam.png" alt="A dam" onerror="alert(2)">'
    '<a href="javascript:alert(3)">one</a><a href="/account/">two</a><form action="/work/">'
    "<input name=stolen></form><style>body{display:none}</style><iframe src=/></iframe>"
)


def question(key: str, answer: str, *, required: bool = False, content: str = "") -> str:
    is_required = f"<IsRequired>{'true' if required else 'false'}</IsRequired>"
    shown = content or f"<Text>About {key}.</Text>"
    return (
        f"<Question><QuestionIdentifier>{key}</QuestionIdentifier>"
        f"<DisplayName>Name of {key}</DisplayName>{is_required}"
        f"<QuestionContent>{shown}</QuestionContent>"
        f"<AnswerSpecification>{answer}</AnswerSpecification></Question>"
    )


def text(constraints: str = "") -> str:
    inner = f"<Constraints>{constraints}</Constraints>" if constraints else ""
    return f"<FreeTextAnswer>{inner}</FreeTextAnswer>"


def pattern(regex: str, words: str = "Write a postcode.", flags: str = "") -> str:
    return f'<AnswerFormatRegex regex="{regex}" errorText="{words}" flags="{flags}"/>'


def selection(limits: str, *keys: str, other: str = "") -> str:
    choices = "".join(
        f"<Selection><SelectionIdentifier>{key}</SelectionIdentifier><Text>Choice {key}</Text>"
        "</Selection>"
        for key in keys
    )
    return f"<SelectionAnswer>{limits}<Selections>{choices}{other}</Selections></SelectionAnswer>"


def counts(least: int, most: int) -> str:
    return (
        f"<MinSelectionCount>{least}</MinSelectionCount>"
        f"<MaxSelectionCount>{most}</MaxSelectionCount>"
    )


def style(name: str) -> str:
    return f"<StyleSuggestion>{name}</StyleSuggestion>"


OTHER = '<OtherSelection><Constraints><Length minLength="3"/></Constraints></OtherSelection>'


def form(*questions: str) -> str:
    return (
        f'<QuestionForm xmlns="{SCHEMAS}/2017-11-06/QuestionForm.xsd">'
        f"<Overview><Title>Dams</Title><FormattedContent><![CDATA[{HOSTILE}]]></FormattedContent>"
        "<Binary><MimeType><Type>image</Type><SubType>png</SubType></MimeType>"
        "<DataURL>https://pictures.example.org/map.png</DataURL><AltText>A map</AltText></Binary>"
        "<Binary><MimeType><Type>audio</Type><SubType>mp3</SubType></MimeType>"
        "<DataURL>https://pictures.example.org/roar.mp3</DataURL><AltText>A roar</AltText>"
        f"</Binary></Overview>{''.join(questions)}</QuestionForm>"
    )


EVERYTHING = form(
    question("needed", text(), required=True),
    question("age", text('<IsNumeric minValue="1" maxValue="99"/>')),
    question("any", text("<IsNumeric/>")),
    question("tale", text('<Length minLength="3" maxLength="10"/>')),
    question("code", text(pattern("^[a-z]{2}[0-9]{3}$", flags="i"))),
    question("one", selection("", "a", "b"), required=True),
    question("some", selection(counts(2, 3), "a", "b", "c", "d")),
    question("own", selection(counts(1, 2), "a", "b", other=OTHER)),
    question("menu", selection(style("dropdown"), "a", "b"), required=True),
    question("list", selection(style("list"), "a", "b", "c")),
    question("mix", selection(style("combobox"), "a", "b", other=OTHER), required=True),
)
GOOD: dict[str, list[str]] = {
    "needed": ["x"],
    "age": ["42"],
    "any": ["-1.5e3"],
    "tale": ["a\r\nb"],
    "code": ["DE123"],
    "one": ["b"],
    "some": ["a", "c"],
    "own": ["b", ""],
    "other:own": ["mine"],
    "menu": ["b"],
    "list": ["c"],
    "mix": [""],
    "other:mix": ["mine"],
}


def read_parts(xml: str) -> dict[str, list[tuple[str, str]]]:
    """Tag and text of each part of each answer."""
    found = {}
    for answer in ElementTree.fromstring(xml):
        key, *parts = (
            (part.tag.removeprefix(f"{{{NAMESPACE}}}"), part.text or "") for part in answer
        )
        found[key[1]] = parts
    return found
