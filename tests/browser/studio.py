"""The SCU studio as somebody at the keyboard sees it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Locator, expect

from tests.browser.corpora import example, jsonl
from tests.browser.sessions import Seat, cookies_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.browser.rest import Rest
    from tests.servers import Product

EXAMPLES = """
    harbour orchard station market library bridge museum stadium chapel tower castle cellar granary
""".split()  # noqa: SIM905
REFERENCE = (
    "The {0} at Brack opened again on Friday. "
    "Volunteers had mended its old roof for three years. "
    "The town council paid for the glass."
)
OTHER = "Friday saw the {0} of Brack open its doors. The council bought new glass."

# Makes a second annotator and a viewer, and gives them the project; its name comes first.
PEOPLE = """
from annotation.corpora.models import Membership, Project, User
for name, role in (("Anna Berg", "annotator"), ("Vera Lind", "viewer")):
    email = name.split()[0].lower() + "@example.org"
    person = User.objects.filter(email=email).first()
    person = person or User.objects.create_user(email, password="pyramid-demo", name=name)
    Membership.objects.create(project=Project.objects.get(slug=slug), user=person, role=role)
"""

# An extractor's set with an STU for each first reference's first and second sentence.
SUGGESTIONS = """
from annotation.corpora.models import Reference
from annotation.units.models import Contributor, Unit, UnitSet
project = Project.objects.get(slug=slug)
stus = UnitSet.objects.create(project=project, name="stus")
for reference in Reference.objects.filter(example__project=project, position=0):
    texts = ["Brack opened on Friday", "Volunteers mended the roof"]
    for sentence, text in zip(reference.sentences.all(), texts):
        stu = Unit.objects.create(
            set=stus, example=reference.example, kind="stu", text=text,
            position=sentence.position, extractor="rules",
        )
        Contributor.objects.create(
            unit=stu, reference=reference, sentence=sentence, start=sentence.start, end=sentence.end
        )
"""


def write_unit(rest: Rest, example: str, text: str) -> None:
    """A unit on the first words of the example's first reference, by the demo account."""
    reference = rest.get(example)["references"][0]["id"]
    span = {"reference": reference, "start": 0, "end": 3}
    change = {"action": "create", "unit": "tmp", "text": text, "spans": [span]}
    body = {"op": str(uuid.uuid4()), "action": "create", "changes": [change]}
    rest.post(f"{example}ops/", data=body)


@dataclass(frozen=True)
class Studio:
    """One open page of the studio."""

    page: Page

    def open(self, path: str) -> Studio:
        self.page.goto(path)
        return self.ready()

    def ready(self) -> Studio:
        expect(self.page.locator(".studio.is-ready")).to_be_visible()
        return self

    def press(self, *keys: str) -> Studio:
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def type(self, text: str) -> Studio:
        self.page.keyboard.type(text)
        return self

    def put(self, text: str) -> Studio:
        """All of it in one moment, so that no pause of the machine's is one in the typing."""
        self.page.keyboard.insert_text(text)
        return self

    def hears(self) -> bool:
        """Asks for news at once, as a window does that comes to the front."""
        self.page.evaluate("dispatchEvent(new Event('focus'))")
        return True

    @property
    def units(self) -> Locator:
        return self.page.locator("[data-part=units] > li")

    @property
    def texts(self) -> Locator:
        return self.units.locator(".unit__text")

    @property
    def field(self) -> Locator:
        return self.page.get_by_label("Unit text")

    @property
    def in_hand(self) -> Locator:
        return self.units.and_(self.page.locator("[aria-current]"))

    @property
    def saved(self) -> Locator:
        return self.page.locator("[data-part=saved]")

    @property
    def present(self) -> Locator:
        return self.page.locator("[data-part=present]")

    @property
    def message(self) -> Locator:
        return self.page.locator("[data-part=message]")

    @property
    def shares(self) -> Locator:
        return self.page.locator(".line__share")

    def words(self, sentence: int) -> Locator:
        return self.page.locator(".line").nth(sentence).locator(".word")

    def expect_saved(self) -> Studio:
        expect(self.saved).to_contain_text("Saved")
        return self

    def expect_texts(self, *texts: str) -> Studio:
        expect(self.texts).to_have_text(list(texts))
        return self


def write_first_unit(studio: Studio) -> None:
    """A unit on the first sentence, saved, in hand and not in the field."""
    studio.press("n", "Enter", "Escape", "k", "ArrowDown").expect_saved()


@dataclass(frozen=True)
class Room:
    """A project with one unit set; each test has an example of its own."""

    rest: Rest
    slug: str
    set_id: int
    ids: dict[str, int]

    def path(self, key: str) -> str:
        return f"/p/{self.slug}/units/{self.set_id}/examples/{self.ids[key]}/"

    def api(self, key: str) -> str:
        return f"projects/{self.slug}/unit-sets/{self.set_id}/examples/{self.ids[key]}/"

    def state(self, key: str) -> Any:
        return self.rest.get(self.api(key))

    def write(self, key: str, text: str) -> None:
        write_unit(self.rest, self.api(key), text)

    def texts(self, key: str) -> list[str]:
        return [unit["text"] for unit in self.state(key)["units"] if not unit["deleted"]]


def make_room(rest: Rest, product: Product, slug: str) -> Room:
    slug = rest.make_project(slug, slug.capitalize())
    lines = [
        example(key, REFERENCE.format(key), references=[REFERENCE.format(key), OTHER.format(key)])
        for key in EXAMPLES
    ]
    rest.bring_in(slug, f"{slug}.jsonl", jsonl(lines))
    product.manage("shell", "-c", f"slug = {slug!r}\n{PEOPLE}\n{SUGGESTIONS}")
    set_id = rest.post(f"projects/{slug}/unit-sets/", data={"name": "scus"})["id"]
    rows = rest.get(f"projects/{slug}/examples/")["results"]
    return Room(rest, slug, set_id, {row["key"]: row["id"] for row in rows})


@contextmanager
def seat_guests(browser: Browser, product: Product) -> Iterator[dict[str, Seat]]:
    """Where the others of a room sit: Anna writes units as well, Vera may only look."""
    home = product.base_url
    cookies = {name: cookies_of(browser, home, f"{name}@example.org") for name in ("anna", "vera")}
    seats = {name: Seat(browser, home, kept) for name, kept in cookies.items()}
    yield seats
    for seat in seats.values():
        seat.context.close()
