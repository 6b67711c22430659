"""Texts of the probes: pairs of a statement that a text makes and one that it doesn't, by what
a judge must read to see the difference.

No word of the lists and no wording is used to train a judge; a test compares them with those of the
reader's training.
"""

from __future__ import annotations

from dataclasses import dataclass

NAMES = (
    "Bronwen Ashdown", "Callum Birtwhistle", "Desmond Crabtree", "Edith Dunmore", "Fergus Eccles",
    "Gwendolyn Fairfax", "Harriet Greaves", "Imogen Holloway", "Jasper Inskip", "Keir Jopling",
    "Lorna Kettering", "Magnus Lockhart", "Nerys Mottram", "Oswald Nuttall", "Petra Ormerod",
    "Quentin Pargeter", "Rowena Quayle", "Stellan Ravenscroft", "Tamsin Stanhope", "Ulric Thackeray",
    "Verity Underhill", "Winifred Vosper", "Xanthe Wetherby", "Yorick Yelland",
)  # fmt: skip
TOWNS = (
    "Aberdare", "Bodmin", "Cromer", "Dornoch", "Evesham", "Frome", "Girvan", "Hexham", "Ilkley",
    "Jedburgh", "Kelso", "Ludlow", "Malvern", "Nairn", "Oundle", "Penrith", "Rothesay", "Selkirk",
    "Tenby", "Ullapool", "Ventnor", "Whitby",
)  # fmt: skip
CLUBS = (
    "Harlech Harriers", "Corby Comets", "Dunbar Dragons", "Wigan Warblers", "Elgin Eagles", "Truro Titans",
    "Filey Falcons", "Goole Gulls", "Hythe Hornets", "Kendal Kestrels", "Luton Lynxes", "Montrose Magpies",
)  # fmt: skip
GROUPS = (
    "beekeepers", "glaziers", "ramblers", "cellists", "plumbers", "librarians", "shopkeepers", "anglers",
    "gardeners", "bakers", "cyclists", "potters",
)  # fmt: skip
GOODS = (
    "lantern", "harp", "tractor", "telescope", "canoe", "kettle", "tapestry", "violin", "caravan", "clock",
    "greenhouse", "piano",
)  # fmt: skip
OCCASIONS = (
    "regatta", "auction", "banquet", "rehearsal", "flower show", "pageant", "raffle", "hearing", "tournament",
    "picnic", "recital", "inquest",
)  # fmt: skip
SPELLED = ("twenty-three", "thirty-one", "forty-four", "fifty-six", "sixty-two", "seventy-eight", "eighty-five", "ninety-seven")
AROUND = (
    "A light drizzle fell all morning.", "Hundreds of postcards have since come in.", "The local paper printed the story first.",
    "It has been a dry spring in the valley.", "Tickets had sold out weeks ahead.", "A spokeswoman gave no further details.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wording:
    """A text, a statement that it makes, and the statement's false twin."""

    text: str
    true: str
    false: str


def _read(lines: str) -> tuple[Wording, ...]:
    rows = [line.split(" | ") for line in lines.strip().splitlines()]
    return tuple(Wording(*(part.strip() for part in row)) for row in rows)


# Slots: a, b, c people; t, u towns; k, l clubs; g, h groups; o, p goods; e an occasion;
# n, m numbers in digits; w, v numbers spelled out.
WORDINGS: dict[str, tuple[Wording, ...]] = {
    "negation": _read("""
        {a} did not attend the {e} in {t}. | {a} was absent from the {e}. | {a} attended the {e} in {t}.
        {a} has repaired the {o} that was found in {t}. | The {o} was repaired by {a}. | {a} has not repaired the {o}.
        No {g} turned up for the {e} in {t}. | There were no {g} at the {e}. | Some {g} turned up for the {e}.
        {a} visited {t} without telling {b}. | {a} did not tell {b} about the visit to {t}. | {a} told {b} about visiting {t}.
        Nothing was stolen from the workshop of {a} in {t}, although the {o} was damaged. | The {o} was damaged. | The {o} was stolen from the workshop.
    """),
    "roles": _read("""
        {a} rescued {b} from the river near {t}. | {b} was rescued by {a}. | {b} rescued {a} from the river.
        {k} outplayed {l} throughout the second half. | {l} were outplayed by {k}. | {l} outplayed {k}.
        {a} hired {b} to run the mill in {t}. | {b} was hired by {a} to run the mill. | {a} was hired by {b}.
        {a} lent {b} a {o} for the {e}. | {b} borrowed a {o} from {a}. | {b} lent {a} a {o}.
        {a} criticised {b} after the {e} in {t}. | {b} was criticised by {a}. | {b} criticised {a} after the {e}.
    """),
    "number": _read("""
        Some {n} {g} marched through {t}. | {n} {g} marched through {t}. | {m} {g} marched through {t}.
        {a}, who is {w}, restored a {o} in {t}. | {a} is {w} years of age. | {a} is {v} years of age.
        The {o} fetched £{n},000 at the auction in {t}. | The {o} was sold for £{n},000. | The {o} was sold for £{m},000.
        {k} have {w} points after the match against {l}. | {k} are on {w} points. | {k} are on {v} points.
        The walk from {t} to {u} takes {n} minutes. | It takes {n} minutes to walk to {u}. | It takes {m} minutes to walk to {u}.
    """),
    "name": _read("""
        {a} opened the {e} in {t}. | The {e} was opened by {a}. | The {e} was opened by {b}.
        {k} knocked {l} out of the cup. | {k} knocked their rivals out of the cup. | {t} Town knocked {l} out of the cup.
        {a} grew up in {t} and studied music. | {a} spent a childhood in {t}. | {a} spent a childhood in {u}.
        {a} and {b} run a tea room in {t}. | {a} runs a tea room with {b}. | {a} runs a tea room with {c}.
        The {e} in {t} was won by {a}, a retired vet. | {a} is a retired vet. | {b} is a retired vet.
    """),
    "quantifier": _read("""
        All of the {g} in {t} signed the petition. | Every one of the {g} signed it. | Only a handful of the {g} signed the petition.
        A few of the {g} brought a {o} to the {e}. | Some {g} came with a {o}. | Each of the {g} brought a {o}.
        None of the {g} from {t} liked the {o}. | The {o} was liked by no {g}. | Several {g} liked the {o}.
        Nearly all {g} stayed for the {e}. | The great majority of {g} stayed. | Hardly any {g} stayed for the {e}.
        Not every one of the {g} paid for the {e}. | Some {g} did not pay. | The {g} all paid for the {e}.
    """),
    "tense": _read("""
        {a} will paint the {o} next spring. | {a} is going to paint the {o}. | {a} painted the {o} last year.
        {a} used to live in {t} but has since left. | {a} once lived in {t}. | {a} still lives in {t}.
        {a} intends to open a bakery in {t}. | {a} has the intention of opening a bakery. | {a} has already opened a bakery in {t}.
        {k} have already signed {a}. | {a} has been signed by {k}. | {k} are yet to sign {a}.
        The {e} in {t} is to be held in a fortnight. | The {e} lies in the future. | The {e} in {t} is over.
    """),
    "modality": _read("""
        {a} might sell the {o} to a museum. | It is conceivable that {a} sells the {o}. | {a} sold the {o} to a museum.
        {a} was reportedly asked to repair the {o}, but it remains a guess. | There is a guess that {a} was asked. | {a} was certainly asked to repair the {o}.
        Visitors to {t} are obliged to leave the {o} at the gate. | The {o} has to be left at the gate. | Visitors may keep the {o} with them.
        {a} attempted to lift the {o} but could not. | {a} was unable to lift the {o}. | {a} lifted the {o}.
        {a} dismissed the suggestion that {b} broke the {o}. | {a} doesn't accept that {b} broke the {o}. | {a} accepted that {b} broke the {o}.
    """),
    "opposite": _read("""
        {a} found the {e} in {t} thrilling. | {a} thought the {e} was exciting. | {a} thought the {e} was dull.
        The {o} made by {a} is remarkably cheap. | The {o} costs little money. | The {o} is expensive.
        {a} permitted the {g} to camp near {t}. | The {g} were allowed to camp. | {a} forbade the {g} to camp.
        The number of {g} in {t} shrank last winter. | There are fewer {g} in {t} now. | The number of {g} in {t} went up.
        {a} was found guilty of damaging the {o}. | {a} was convicted of damaging the {o}. | {a} was acquitted of damaging the {o}.
    """),
    "comparison": _read("""
        {a} is taller than {b}. | {b} is shorter than {a}. | {b} is taller than {a}.
        The {o} weighs twice as much as the {p}. | The {o} is heavier than the {p}. | The {p} is heavier than the {o}.
        {t} has fewer {g} than {u}. | There are more {g} in {u} than in {t}. | {t} has more {g} than {u}.
        {a} ran faster than {b} at the {e} in {t}. | {b} was slower than {a}. | {a} was slower than {b}.
        The {o} is just as old as the {p}. | The {o} and the {p} have the same age. | The {o} is much older than the {p}.
    """),
    "order in time": _read("""
        {a} phoned {b} before buying the {o}. | The {o} was bought after the call to {b}. | {a} bought the {o} before phoning {b}.
        First the {o} was sold, and only later the {p}. | The {p} was sold after the {o}. | The {p} was sold before the {o}.
        {k} scored early, and {l} replied in the last minute. | {k} scored before {l}. | {l} scored before {k}.
        After the {e} ended, {a} drove to {t}. | {a} went to {t} once the {e} was over. | {a} drove to {t} before the {e} ended.
        {a} moved to {t} years after {b} did. | {b} was in {t} earlier than {a}. | {a} was in {t} earlier than {b}.
    """),
    "place": _read("""
        The {e} took place in {t}, not far from {u}. | {t} was where the {e} took place. | The {e} took place in {u}.
        {a} hid the {o} beneath the floor of a barn. | The {o} was under the floor. | {a} hid the {o} on the roof of the barn.
        The {o} stands to the left of the {p}. | The {p} is on the right of the {o}. | The {o} stands to the right of the {p}.
        {a} travelled from {t} to {u} with a {o}. | {a} set off from {t}. | {a} travelled from {u} to {t}.
        {a} keeps bees behind the chapel in {t}. | There are bees at the rear of the chapel. | {a} keeps bees in front of the chapel.
    """),
    "cause": _read("""
        Because the {o} broke, {a} missed the {e}. | {a} missed the {e} owing to a broken {o}. | The {o} broke because {a} missed the {e}.
        {a} moved to {t} to be near {b}, who was ill. | {a} moved owing to the illness of {b}. | {b} fell ill because {a} moved to {t}.
        Flooding in {t} was brought on by a blocked drain. | A blocked drain caused the flooding. | The flooding blocked the drain.
        The {e} made {a} famous. | {a} became famous through the {e}. | The {e} was held as {a} was famous.
        {k} lost despite a goal from {a}. | A goal from {a} did not save {k}. | {k} lost on account of a goal from {a}.
    """),
    "attribution": _read("""
        {a} says that {b} broke the {o}, which {b} disputes. | {a} blames {b} for the broken {o}. | {b} blames {a} for the broken {o}.
        The {g} insist that the {o} is a fake, but nothing has been shown. | The {g} regard the {o} as a fake. | It has been shown that the {o} is a fake.
        {a} told {b} that the {e} would be moved. | {b} heard from {a} that the {e} would be moved. | {a} heard from {b} that the {e} would be moved.
        According to {a}, the best view is from {t}; {b} prefers {u}. | {b} likes the view from {u} best. | {a} likes the view from {u} best.
        {a} is wrongly suspected of taking the {o}. | Somebody suspects {a}. | {a} took the {o}.
    """),
    "added detail": _read("""
        {a} bought a {o} in {t}. | {a} made a purchase in {t}. | {a} bought an antique {o} in {t}.
        {a} spoke at the {e}. | {a} gave a speech. | {a} spoke at the {e} for two hours.
        {k} signed {a} from {l}. | {a} joined {k}. | {k} signed {a} from {l} for a record fee.
        {a} lives with {b} in {t}. | {a} shares a home with {b}. | {a} lives with {b} and three dogs in {t}.
        The {g} left {t}. | The {g} went away from {t}. | The {g} left {t} in anger by coach.
    """),
    "condition": _read("""
        If it rains, {a} will cancel the {e} in {t}. | Rain would lead {a} to cancel the {e}. | {a} cancelled the {e}.
        {a} would have won the {e} had the {o} not snapped. | {a} did not win the {e}. | {a} won the {e}.
        {a} will stay in {t} unless {b} objects. | An objection from {b} would make {a} leave. | {b} objected to {a} staying.
        Provided that the {g} agree, the {o} goes to {t}. | The {o} goes to {t} only with the approval of the {g}. | The {g} agreed to send the {o} to {t}.
        Were {a} to resign, {b} would take over the {e}. | {b} would follow {a} in running the {e}. | {a} resigned from the {e}.
    """),
    "other words": _read("""
        {a} passed away in {t} on the eve of the {e}. | {a} died. | {a} recovered.
        The {g} downed tools in {t} over low pay. | There was a strike in {t}. | The {g} in {t} are content with their wages.
        {a} tied the knot with {b} in {t}. | {a} is now the spouse of {b}. | {a} broke off the engagement with {b}.
        {k} were held to a stalemate by {l}. | The game ended level. | {k} came out on top.
        {a} purchased a dwelling near {t}. | {a} bought a home. | {a} rents a flat near {t}.
    """),
}  # fmt: skip
