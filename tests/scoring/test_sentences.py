import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.sentences import split_sentences
from tests.scoring.hostile import HOSTILE_PIECES

# The pieces that the rules look at, so that chance finds their combinations.
MARKS = [*"aAzZ1 .!?'\"()\n\t-…。」؟\u00a0\u2028’“”", "<t>", "</t>", "''", "``", "\r\n", "\n\n"]
WORDS = ["U.S.", "Mr.", "word", "The ", " . ", "\n- ", "http://"]
PIECES = st.sampled_from([*MARKS, *WORDS])
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))

MEBIBYTE = 1 << 20


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["Mr. Hill met Dr. Wood.", "They spoke."],
        ["Gen. Stone, Lt. Reed and Prof. Lake signed.", "It rained."],
        ["It moved to the U.S. in May.", "She stayed."],
        ["It moved to the U.S.", "The rest stayed."],
        ["The U.S. Senate sat.", "Nobody spoke."],
        ["He left at 5 p.m.", "Police came."],
        ["He left at 5 p.m. Monday.", "Police came at 9 a.m. GMT."],
        ["Use a tool, e.g. The Hammer, i.e. Something hard.", "Done."],
        ["No. 10 was empty on Jan. 5.", "No.", "That was all."],
        ["Acme Inc. Chairman Reed spoke for Acme Inc.", "He was brief."],
        ["They live in St. Albans on Oak St.", "The house is old."],
        ["Home vs. Away was close.", "Home won."],
        ["J. K. Rowe and George W. Hall wrote it.", "It sold."],
        ["W.E.B. Hall lives in Washington D.C.", "It is hot."],
        ["They had a plan B.", "It failed."],
        ["Reed Jr. Foundation gave.", "So did Lake et al.", "In all, few did."],
    ],
)
def test_it_knows_abbreviations_and_initials(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["It cost 3.5 or 1,000.50.", "Version 2.0.1 is out."],
        ["Wait... what?", "I thought… well.", "It ended...", "Then it rained."],
        ["Really?!", "Yes!!!", "Why?", "Because."],
        ['"Stop."', "He did.", "(So did she.)", "“Good.”", "‘Fine.’", "[All of it.]", "End."],
        ['"Why?" he asked.', '"Why?" Reed asked.', '"Because!"', "The crowd left."],
        ["He called it 'flattering.'", "Nobody else did."],
        ["See example.com for more.", "Write to a.b@example.org.", "Thanks."],
        ["Go to https://a.example/b.C?D=E.F now.", "Then stop."],
        ["It is known.[1]", "It is also shown.[23]", "Good."],
        ["It sold well.", "iPhones did too."],
        ["In total.", "12 people came.", "£5 was paid."],
        ["1. Take it.", "2. Leave it."],
    ],
)
def test_it_splits_edited_prose(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["they live in a valley , far off .", "and they are struggling ."],
        ["`` we are cold .", "it is hard , '' said one .", "another left ."],
        ["`` i will take as many as i can . ''", "about five miles away , it rained ."],
        ["maybe they will .", "... if i get more i will ."],
        ["he said : ' we left .", "we ran . '", "then it rained ."],
        ["it was over .", "' i am glad , ' he said .", "he left ."],
        ["`` why ? '' he asked .", "nobody knew ."],
        ["dr. reed and mr . lake of the u.s. army came .", "no. 5 left ."],
        ["( it rained . )", "-LRB- it snowed . -RRB-", "all was well ."],
        ["it rained . ’", "it snowed . ”", "all was well ."],
        ["1 . first - 27 .", "2 . second - 26 ."],
    ],
)
def test_it_splits_tokenised_text(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


def test_it_splits_lower_case_prose() -> None:
    text = "the cat sat. the dog, e.g. mine, ran to mr. reed. it rained"
    assert sentences(text) == ["the cat sat.", "the dog, e.g. mine, ran to mr. reed.", "it rained"]


@pytest.mark.parametrize(
    "expected",
    [
        ["He left last season.", "The former captain stayed.", "Clubs in the FBI.", "They won."],
        ["It was in 2010.", "A spokesman agreed.", "Did it?", "It did."],
        ["They said so.", '"We left early," he said.', '"It was late."', "Mr Reed agreed."],
        ['It was "never seen again".', "He asked.", "It came to light.", "“We knew.”", "End."],
        ["It was founded.", "1975 - The war ends.", "It rose by 3.5%.", "BBC staff left."],
    ],
)
def test_it_splits_sentences_that_touch(expected: list[str]) -> None:
    assert sentences("".join(expected)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The J.Smith and St.Helens clubs use ASP.NET, Node.js and U.S.A stock",
        "Read www.Example.Com/A.B or write to Reed@Example.Com today",
        "It was the Yahoo!'s best 3.5m year, up from .375 or 1.2",
    ],
)
def test_it_leaves_names_and_numbers_whole(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    "text, expected",
    [
        (
            "A line that\nis wrapped here.\nAnd so on",
            ["A line that\nis wrapped here.", "And so on"],
        ),
        ("It ends.\nlower goes on", ["It ends.", "lower goes on"]),
        ("He met Mr.\nReed there", ["He met Mr.\nReed there"]),
        ("A heading\n\nThe text", ["A heading", "The text"]),
        ("A heading\r\n\r\nThe\r\ntext", ["A heading", "The\r\ntext"]),
        ("One page\fAnother\u2029And one", ["One page", "Another", "And one"]),
        ("Bring:\n- bread\n- milk", ["Bring:", "- bread", "- milk"]),
        ("Bring\n• bread\n• milk", ["Bring", "• bread", "• milk"]),
        ("Do this:\n1. Go. Now\n2. Stop", ["Do this:", "1. Go.", "Now", "2. Stop"]),
        ("a colleague\n- unnamed - left", ["a colleague\n- unnamed - left"]),
        ("it was May\n12. It rained", ["it was May\n12.", "It rained"]),
    ],
)
def test_it_reads_lines_and_bullets(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("今天很好。我们走吧！好吗？好", ["今天很好。", "我们走吧！", "好吗？", "好"]),
        ("「はい。」と言った。「いいえ。」", ["「はい。」と言った。", "「いいえ。」"]),
        ("هل هذا صحيح؟ نعم۔ شكرا. انتهى", ["هل هذا صحيح؟", "نعم۔", "شكرا.", "انتهى"]),
        ("שלום לכולם. מה נשמע? טוב.", ["שלום לכולם.", "מה נשמע?", "טוב."]),
        ("यह एक है। यह दो है॥ अंत", ["यह एक है।", "यह दो है॥", "अंत"]),
        ("Er sagt: „Ja.“ Dann ging er.", ["Er sagt: „Ja.“", "Dann ging er."]),
        ("Il dit : « Oui. » Puis il part.", ["Il dit : « Oui. »", "Puis il part."]),
    ],
)
def test_it_reads_other_scripts(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("<t> One . Two . </t> <t>Three</t>", ["One . Two .", "Three"]),
        ("<t> Mr .\u00a0 </t>\n<t>\u00a0</t><t></t>", ["Mr ."]),
        ("Before. It <t> In. Side </t> After. All", ["Before.", "It", "In. Side", "After.", "All"]),
        ("<t> Open. Still <t> Next </t>", ["Open. Still", "Next"]),
        ("<t> Open. To the end", ["Open. To the end"]),
        ("A. Stray </t> Mark. Here", ["A. Stray", "Mark.", "Here"]),
        ("<T> Not a mark. </T> Two", ["<T> Not a mark.", "</T> Two"]),
    ],
)
def test_it_takes_marked_sentences_whole(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize("text", ["", " ", "\u00a0\n\t", "<t> </t>", "</t>", "\n\n\n"])
def test_it_finds_nothing_in_nothing(text: str) -> None:
    assert split_sentences(text) == []


@pytest.mark.parametrize(
    "text, expected",
    [
        ("...", ["..."]),
        ("!!! ??? a", ["!!! ??? a"]),
        ("Good. ' . Then more", ["Good. ' .", "Then more"]),
        ("Good. — ''", ["Good. — ''"]),
    ],
)
def test_it_joins_pieces_without_words_to_a_neighbour(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(TEXTS)
def test_it_returns_ordered_trimmed_ranges(text: str) -> None:
    position = 0
    for start, end in split_sentences(text):
        assert position <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        position = end


@given(TEXTS)
def test_it_loses_nothing_but_space_and_marks(text: str) -> None:
    spans = split_sentences(text)
    gaps = zip([0, *(end for _, end in spans)], [*(s for s, _ in spans), len(text)], strict=True)
    between = "".join(text[start:end] + " " for start, end in gaps)
    assert between.replace("<t>", "").replace("</t>", "").strip() == ""


@pytest.mark.parametrize("piece", HOSTILE_PIECES)
def test_it_splits_a_long_run_of_what_is_hard_to_split(piece: str) -> None:
    """A quadratic rule would not come to an end here; how the time grows is in `make bench`."""
    text = (piece * (MEBIBYTE // 8 // len(piece)))[: MEBIBYTE // 8]
    spans = split_sentences(text)
    assert all(start < end for start, end in spans)
    assert [start for start, _ in spans] == sorted({start for start, _ in spans})
