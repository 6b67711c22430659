"""Invented events with their facts, each told in several ways, for training the reader.

A scene has slots. All its full wordings say the same of the same facts, and its short wordings say
less. So any other wording of the same facts follows from a text, and a wording of changed facts
doesn't. The names, words and wordings of the probes are others; a test compares them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.backends.reader.groups import CONTRADICTION, ENTAILMENT, NOT_ENTAILMENT, Labelled

FIRST = (
    "Adam Alice Amir Anna Ben Carla Chloe Daniel David Diana Elena Emma Eric Fatima Frank Grace Hannah "
    "Hugo Ivan James Jane Javier John Julia Karen Kevin Laura Leo Linda Lucas Maria Mark Martin Mary "
    "Michael Mohamed Nina Oliver Pablo Paul Peter Rachel Robert Rosa Sam Sarah Simon Sofia Steven "
    "Susan Thomas Victor William Yusuf Zoe"
).split()
LAST = (
    "Adams Allen Baker Barnes Bennett Brooks Brown Campbell Carter Clark Collins Cooper Cox Davis Diaz "
    "Evans Fisher Foster Garcia Gomez Gray Green Hall Harris Hayes Hill Hughes Jackson Johnson Jones "
    "Kelly Kim King Lee Lewis Lopez Martin Miller Mitchell Moore Morgan Murphy Nelson Parker Patel "
    "Perez Phillips Price Reed Roberts Ross Russell Sanders Scott Smith Stewart Taylor Turner Walker "
    "Ward Watson White Williams Wilson Wood Wright Young"
).split()
PLACES = (
    "London Paris Berlin Madrid Rome Chicago Boston Houston Seattle Toronto Sydney Tokyo Beijing Moscow "
    "Cairo Lagos Nairobi Delhi Mumbai Dublin Vienna Athens Lisbon Oslo Stockholm Brussels Texas Florida "
    "California France Germany Spain Italy Canada Australia Japan China Russia Egypt Kenya India "
    "Brazil Mexico Argentina Turkey Iran Iraq Israel Syria Poland Greece Portugal Sweden Norway"
).split()
TEAMS = (
    "Arsenal;Chelsea;Liverpool;Everton;Barcelona;Real Madrid;Juventus;Milan;Bayern Munich;Porto;"
    "Manchester City;Manchester United;Tottenham;Ajax;Celtic;the Lakers;the Bulls;the Yankees;"
    "the Red Sox;the Giants;the Cowboys;Leicester;Newcastle;Benfica;Paris Saint-Germain"
).split(";")
FIRMS = (
    "Apple;Google;Microsoft;Amazon;Facebook;Toyota;Ford;Boeing;Airbus;Tesco;Walmart;Nestle;Shell;BP;"
    "Sony;Samsung;Nokia;Intel;IBM;Pfizer;Volkswagen;General Motors;Barclays;HSBC;Goldman Sachs"
).split(";")
BODIES = (
    "the police;the government;the council;the court;the senate;the army;the hospital;the university;"
    "the union;the ministry;the committee;the company;the school;the charity;the navy;the bank"
).split(";")
PEOPLE = (
    "the president;the mayor;the coach;the teacher;the doctor;the lawyer;the singer;the actor;the pilot;"
    "the farmer;the driver;the nurse;the professor;the soldier;the senator;the judge;the manager;"
    "the student;the prince;the chef;the reporter;the captain;the minister;the author"
).split(";")
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
COLOURS = "red blue green black white yellow brown grey".split()
THINGS = (
    "car;house;bridge;painting;phone;laptop;boat;bicycle;necklace;stadium;school;tower;road;garden;"
    "restaurant;museum;hotel;factory;statue;library"
).split(";")
EVENTS = "concert;meeting;election;festival;trial;conference;parade;ceremony;debate;exhibition".split(";")
WORDS = "two three four five six seven eight nine ten eleven twelve".split()

# Slots whose fillers can be told apart, with the list that each is filled from.
FILLERS: dict[str, Sequence[str]] = {
    "place": PLACES, "team": TEAMS, "firm": FIRMS, "body": BODIES, "role": PEOPLE, "day": DAYS,
    "month": MONTHS, "colour": COLOURS, "thing": THINGS, "event": EVENTS, "word": WORDS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scene:
    """`swaps` are pairs of slots whose exchange is another fact; `opposite` denies all of it."""

    full: tuple[str, ...]
    short: tuple[str, ...]
    opposite: tuple[str, ...] = ()
    swaps: tuple[tuple[str, str], ...] = ()


SCENES = (
    Scene(
        ("{team1} beat {team2} {score} on {day1}", "{team2} were beaten {score} by {team1} on {day1}",
         "{team2} lost {score} to {team1} on {day1}", "on {day1} {team1} won {score} against {team2}",
         "{team1} 's {score} win over {team2} came on {day1}", "{team1} defeated {team2} {score} on {day1}"),
        ("{team1} beat {team2}", "{team2} lost to {team1}", "{team2} were defeated by {team1}",
         "{team1} won on {day1}", "{team2} lost on {day1}", "{team1} won against {team2}"),
        ("{team1} lost to {team2}", "{team1} did not beat {team2}", "{team1} and {team2} drew",
         "{team2} won", "{team1} were beaten", "{team2} did not lose to {team1}", "nobody beat {team2}"),
        (("team1", "team2"),),
    ),
    Scene(
        ("{firm1} bought {firm2} for ${n1} million in {month1}", "{firm2} was bought by {firm1} for ${n1} million in {month1}",
         "in {month1} {firm1} acquired {firm2} for ${n1} million", "{firm1} 's purchase of {firm2} in {month1} cost ${n1} million",
         "{firm2} was sold to {firm1} for ${n1} million in {month1}", "{firm1} paid ${n1} million for {firm2} in {month1}"),
        ("{firm1} bought {firm2}", "{firm2} was acquired by {firm1}", "{firm2} was sold to {firm1}",
         "{firm1} paid ${n1} million for {firm2}", "{firm2} was bought in {month1}"),
        ("{firm1} did not buy {firm2}", "{firm1} refused to buy {firm2}", "{firm1} sold {firm2}",
         "the deal between {firm1} and {firm2} collapsed", "nobody bought {firm2}"),
        (("firm1", "firm2"),),
    ),
    Scene(
        ("{person1} , {age1} , was arrested in {place1} on {day1}", "police in {place1} arrested {age1}-year-old {person1} on {day1}",
         "{age1}-year-old {person1} was detained in {place1} on {day1}", "the arrest of {person1} , {age1} , took place in {place1} on {day1}"),
        ("{person1} was arrested", "police arrested {person1}", "{person1} is {age1}", "{person1} was detained in {place1}",
         "{person1} is {age1} years old", "the arrest was on {day1}"),
        ("{person1} was not arrested", "{person1} was released", "{person1} escaped arrest", "police failed to arrest {person1}",
         "{person1} has never been arrested", "nobody was arrested"),
    ),
    Scene(
        ("{role1} accused {role2} of lying about the {event1} in {place1}", "{role2} was accused by {role1} of lying about the {event1} in {place1}",
         "{role1} said that {role2} had lied about the {event1} in {place1}"),
        ("{role1} accused {role2}", "{role2} was accused by {role1}", "{role2} was accused of lying", "{role1} accused {role2} of lying"),
        ("{role1} praised {role2}", "{role1} did not accuse {role2}", "{role1} defended {role2}", "nobody accused {role2}"),
        (("role1", "role2"),),
    ),
    Scene(
        ("{person1} married {person2} in {place1} in {year1}", "{person1} and {person2} got married in {place1} in {year1}",
         "the wedding of {person1} and {person2} was held in {place1} in {year1}", "in {year1} {person2} married {person1} in {place1}"),
        ("{person1} married {person2}", "{person2} married {person1}", "{person1} and {person2} are married", "the wedding was in {place1}", "{person1} got married in {year1}"),
        ("{person1} did not marry {person2}", "{person1} divorced {person2}", "{person1} never married", "{person1} called off the wedding", "{person2} refused to marry {person1}"),
    ),
    Scene(
        ("at least {word1} people were killed and {n1} injured when a bomb exploded in {place1} on {day1}",
         "a bomb in {place1} killed at least {word1} people and injured {n1} on {day1}",
         "on {day1} an explosion in {place1} left at least {word1} people dead and {n1} hurt"),
        ("a bomb exploded in {place1}", "people were killed in {place1}", "{n1} people were injured", "at least {word1} people died",
         "there was an explosion in {place1} on {day1}", "the bomb killed at least {word1} people"),
        ("nobody was killed", "no one was injured", "the bomb did not explode", "the bomb was defused", "everyone survived", "fewer than {word1} people died"),
    ),
    Scene(
        ("{role1} told {role2} to leave the {event1}", "{role2} was told to leave the {event1} by {role1}", "{role1} ordered {role2} out of the {event1}"),
        ("{role1} told {role2} to leave", "{role2} was told to leave", "{role1} ordered {role2} out"),
        ("{role1} asked {role2} to stay", "{role1} did not tell {role2} to leave", "{role1} allowed {role2} to stay"),
        (("role1", "role2"),),
    ),
    Scene(
        ("{person1} scored {word1} goals as {team1} won in {place1}", "{word1} goals by {person1} helped {team1} to win in {place1}",
         "{team1} won in {place1} thanks to {word1} goals from {person1}"),
        ("{person1} scored {word1} goals", "{team1} won", "{person1} scored {word1} times", "{team1} won in {place1}", "{person1} plays for {team1}"),
        ("{person1} did not score", "{team1} lost", "{person1} failed to score", "{team1} were beaten in {place1}", "{person1} missed the match"),
    ),
    Scene(
        ("{body1} sued {body2} over the {colour1} {thing1} in {place1}", "{body2} was sued by {body1} over the {colour1} {thing1} in {place1}",
         "{body1} took {body2} to court over the {colour1} {thing1} in {place1}"),
        ("{body1} sued {body2}", "{body2} was sued by {body1}", "{body1} took {body2} to court", "the {thing1} is {colour1}", "{body2} was taken to court", "the {thing1} is in {place1}"),
        ("{body1} did not sue {body2}", "{body1} dropped its case against {body2}", "the {thing1} is not {colour1}", "{body1} decided not to sue"),
        (("body1", "body2"),),
    ),
    Scene(
        ("{body1} approved plans to build a {thing1} in {place1} by {year1}", "plans to build a {thing1} in {place1} by {year1} were approved by {body1}",
         "{body1} gave the go-ahead for a new {thing1} in {place1} , due in {year1}"),
        ("{body1} approved plans for a {thing1}", "a {thing1} will be built in {place1}", "plans for a {thing1} were approved", "{body1} backed the plans"),
        ("{body1} rejected the plans", "the plans were turned down", "{body1} blocked the {thing1}", "no {thing1} will be built", "the {thing1} has already been built",
         "{body1} did not approve the plans"),
    ),
    Scene(
        ("{firm1} 's profits rose {n1}% to ${n2} million in {year1}", "{firm1} reported profits of ${n2} million in {year1} , up {n1}%",
         "in {year1} {firm1} made ${n2} million , an increase of {n1}%", "profits at {firm1} were up {n1}% at ${n2} million in {year1}"),
        ("{firm1} 's profits rose", "profits at {firm1} increased by {n1}%", "{firm1} made ${n2} million", "{firm1} made a profit", "{firm1} earned more than before", "profits grew in {year1}"),
        ("{firm1} 's profits fell", "profits at {firm1} dropped {n1}%", "{firm1} made a loss", "profits did not rise", "profits declined in {year1}", "{firm1} earned less than before"),
    ),
    Scene(
        ("{person1} is older than {person2} , who lives in {place1}", "{person2} , who lives in {place1} , is younger than {person1}", "{person1} was born before {person2} , who lives in {place1}"),
        ("{person1} is older than {person2}", "{person2} is younger than {person1}", "{person2} lives in {place1}", "{person2} was born after {person1}", "{person1} was born before {person2}"),
        ("{person1} is younger than {person2}", "{person2} is older than {person1}", "{person1} and {person2} are the same age", "{person1} is not older than {person2}", "{person1} was born after {person2}"),
        (("person1", "person2"),),
    ),
    Scene(
        ("the {thing1} in {place1} is bigger than the {thing2} in {place2}", "the {thing2} in {place2} is smaller than the {thing1} in {place1}",
         "compared with the {thing1} in {place1} , the {thing2} in {place2} is small"),
        ("the {thing1} is bigger than the {thing2}", "the {thing2} is smaller than the {thing1}", "the {thing2} is not as big as the {thing1}"),
        ("the {thing1} is smaller than the {thing2}", "the {thing2} is bigger than the {thing1}", "the {thing1} is as big as the {thing2}", "the {thing1} is not bigger than the {thing2}"),
        (("thing1", "thing2"),),
    ),
    Scene(
        ("{role1} left before {role2} arrived on {day1}", "{role2} arrived after {role1} left on {day1}", "on {day1} {role1} left first , and {role2} arrived later"),
        ("{role1} left before {role2} arrived", "{role2} arrived after {role1} left", "{role1} left", "{role2} arrived", "{role2} arrived later", "{role1} had left when {role2} arrived"),
        ("{role1} left after {role2} arrived", "{role2} arrived before {role1} left", "{role1} did not leave", "{role2} never arrived", "{role1} stayed"),
        (("role1", "role2"),),
    ),
    Scene(
        ("the {event1} was cancelled because of the strike in {place1}", "because of a strike in {place1} , the {event1} was called off", "a strike in {place1} led to the cancellation of the {event1}"),
        ("the {event1} was cancelled", "the strike led to the cancellation", "there was a strike in {place1}", "the {event1} was called off", "the strike was in {place1}"),
        ("the {event1} went ahead", "the {event1} was not cancelled", "the strike was caused by the cancellation", "the {event1} took place as planned", "the strike in {place1} was called off"),
    ),
    Scene(
        ("{person1} gave {person2} a {colour1} {thing1} on {day1}", "{person2} was given a {colour1} {thing1} by {person1} on {day1}", "{person2} received a {colour1} {thing1} from {person1} on {day1}"),
        ("{person1} gave {person2} a {thing1}", "{person2} got a {thing1} from {person1}", "the {thing1} was {colour1}", "{person2} received a {thing1}", "{person1} gave away a {thing1}"),
        ("{person1} did not give {person2} anything", "{person1} stole a {thing1} from {person2}", "the {thing1} was not {colour1}", "{person1} refused to give {person2} a {thing1}", "{person2} got nothing from {person1}"),
        (("person1", "person2"),),
    ),
    Scene(
        ("{person1} was born in {place1} and moved to {place2} in {year1}", "{person1} , who was born in {place1} , has lived in {place2} since {year1}", "in {year1} {person1} left {place1} , where he was born , for {place2}"),
        ("{person1} was born in {place1}", "{person1} moved to {place2}", "{person1} lives in {place2}", "{person1} moved in {year1}", "{person1} comes from {place1}", "{person1} left {place1}"),
        ("{person1} was not born in {place1}", "{person1} never left {place1}", "{person1} never moved to {place2}", "{person1} stayed in {place1}", "{person1} has always lived in {place2}"),
        (("place1", "place2"),),
    ),
    Scene(
        ("{n1} of the {n2} passengers survived when the {thing0} sank off {place1}", "when the {thing0} sank off {place1} , {n1} of {n2} passengers were rescued",
         "{n1} of {n2} people on board were saved after the {thing0} went down off {place1}"),
        ("the {thing0} sank", "{n1} passengers survived", "some passengers survived", "some passengers did not survive", "there were {n2} people on board", "not all passengers survived"),
        ("all passengers survived", "nobody survived", "all the passengers died", "the {thing0} did not sink", "every passenger was saved", "none of the passengers survived"),
    ),
    Scene(
        ("{person1} has won the race for the {nth1} time , ahead of {person2}", "{person2} finished behind {person1} , who won the race for the {nth1} time", "it was {person1} 's {nth1} victory in the race , with {person2} second"),
        ("{person1} won the race", "{person2} did not win the race", "{person1} finished ahead of {person2}", "it was {person1} 's {nth1} win", "{person2} came second", "{person2} finished behind {person1}"),
        ("{person2} won the race", "{person1} did not win the race", "{person1} finished behind {person2}", "{person1} came second", "{person2} beat {person1}", "it was {person1} 's first race"),
        (("person1", "person2"),),
    ),
    Scene(
        ("{person1} denied stealing the {thing1} from {place1}", "{person1} said he did not steal the {thing1} from {place1}", "{person1} rejected the claim that he took the {thing1} from {place1}"),
        ("{person1} denied stealing the {thing1}", "{person1} said he was innocent", "{person1} says he did not take the {thing1}", "{person1} denied the theft"),
        ("{person1} admitted stealing the {thing1}", "{person1} confessed to the theft", "{person1} said he stole the {thing1}", "{person1} pleaded guilty"),
    ),
    Scene(
        ("most residents of {place1} voted against the {thing1} , {body1} said", "{body1} said the majority of people in {place1} had voted against the {thing1}"),
        ("most residents voted against the {thing1}", "many residents opposed the {thing1}", "the majority voted against the {thing1}", "some residents voted against the {thing1}", "{body1} said most people voted against it"),
        ("most residents voted for the {thing1}", "no residents voted against the {thing1}", "all residents supported the {thing1}", "few residents opposed the {thing1}", "residents backed the {thing1}"),
    ),
    Scene(
        ("{person1} will play {role0} in a film directed by {person2}", "{person2} will direct {person1} , who plays {role0} , in a film", "in a film by {person2} , {role0} will be played by {person1}"),
        ("{person2} will direct {person1}", "{person1} will be in a film", "{person1} will act in {person2} 's film", "{person2} is directing a film", "{person1} will play {role0}"),
        ("{person1} turned down the film", "{person1} will not be in the film", "{person2} refused to direct the film", "{person1} will not work with {person2}"),
        (("person1", "person2"),),
    ),
)  # fmt: skip
NTHS = "second third fourth fifth sixth seventh eighth ninth tenth".split()


def draw_facts(rng: random.Random) -> dict[str, str]:
    """A filler for every slot; the two slots of a kind are never the same."""
    facts: dict[str, str] = {"thing0": rng.choice(("ferry", "ship", "yacht")), "role0": "a king"}
    for kind, fillers in FILLERS.items():
        facts[f"{kind}1"], facts[f"{kind}2"] = rng.sample(list(fillers), 2)
    for slot in ("person1", "person2"):
        facts[slot] = draw_person(rng)
    low, high = sorted(rng.sample(range(13, 400), 2))
    facts |= {"n1": str(low), "n2": str(high), "age1": str(rng.randint(18, 89))}
    facts |= {"year1": str(rng.randint(1950, 2019)), "nth1": rng.choice(NTHS)}
    facts["score"] = f"{rng.randint(3, 6)}-{rng.randint(0, 2)}"
    return facts


def draw_person(rng: random.Random) -> str:
    last = rng.choice(LAST)
    return last if rng.random() < 0.3 else f"{rng.choice(FIRST)} {last}"


def change_facts(facts: dict[str, str], slot: str, rng: random.Random) -> dict[str, str]:
    """The same facts but for one slot."""
    other = draw_facts(rng)
    while other[slot] == facts[slot] or set(other[slot].split()) & set(facts[slot].split()) - {"the"}:
        other = draw_facts(rng)
    return facts | {slot: other[slot]}


def slots_of(wording: str) -> list[str]:
    return [part.split("}")[0] for part in wording.split("{")[1:]]


def tell(wording: str, facts: dict[str, str]) -> str:
    said = wording.format(**facts)
    return said[0].upper() + said[1:] + "."


def scene_groups(rng: random.Random, count: int) -> Iterator[tuple[str, list[Labelled]]]:
    """Sentences, each with wordings that follow from it and wordings that don't."""
    for _ in range(count):
        scene = rng.choice(SCENES)
        facts = draw_facts(rng)
        premise = rng.choice(scene.full)
        yield tell(premise, facts), _ask(scene, premise, facts, rng)


def _ask(scene: Scene, premise: str, facts: dict[str, str], rng: random.Random) -> list[Labelled]:
    """Two or three that are true and about as many that are false."""
    others = [wording for wording in scene.full if wording != premise]
    trues = rng.sample(scene.short, min(2, len(scene.short))) + [rng.choice(others)]
    found = [Labelled(tell(wording, facts), ENTAILMENT) for wording in trues]
    wordings = [*scene.full, *scene.short]
    for _ in range(2):
        wording = rng.choice(wordings)
        slots = [slot for slot in slots_of(wording) if slot not in ("thing0", "role0")]
        if slots:
            changed = change_facts(facts, rng.choice(slots), rng)
            found.append(Labelled(tell(wording, changed), NOT_ENTAILMENT))
    for one, two in scene.swaps:
        both = [wording for wording in wordings if {one, two} <= set(slots_of(wording))]
        swapped = facts | {one: facts[two], two: facts[one]}
        found.append(Labelled(tell(rng.choice(both), swapped), CONTRADICTION))
    if scene.opposite:
        found.append(Labelled(tell(rng.choice(scene.opposite), facts), CONTRADICTION))
    rng.shuffle(found)
    return found
