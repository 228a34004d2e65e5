"""Which evidence an answer is made of, chosen by what was asked.

Which facts are told in one breath is in bot.answering.groups, the words in bot.answering.composer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.answering.chains import (
    asked_about,
    asks_relation,
    fitting,
    inherited,
    is_backwards,
    is_joining,
    is_overview,
    leads,
)
from bot.answering.people import ForPeople, advised_people, for_people, is_people
from kg.joins import joins
from kg.model import Evidence, Retrieval
from kg.questions import excluded, is_yes_no
from kg.roles import topic_is_subject

__all__ = [
    "Choice",
    "asks_of_two",
    "choose",
    "joined",
    "joined_by_chain",
]

# Facts of the second aspect are told with those of the first, after them.
_WITH = {"symptom": ("absence",), "definition": ("classification",)}
# What is said of the people that a question speaks of.
_ADVISING = frozenset({"population", "contraindication"})


@dataclass(frozen=True, slots=True)
class Choice:
    """What an answer tells, in order, and the asked aspects on which the graph is silent.

    `unclear`: the question asks for something that no aspect stands for. `narrowed`: only what
    joins two entities is told.
    """

    descriptions: tuple[Evidence, ...]
    triples: tuple[Evidence, ...]
    chains: tuple[Evidence, ...]
    silent: tuple[str, ...]
    unclear: bool = False
    narrowed: bool = False


def choose(retrieval: Retrieval) -> Choice:
    """The evidence that answers the question, by the aspects it asks for."""
    ranked = retrieval.evidence
    linked = {entity.iri for entity in retrieval.entities}
    texts = tuple(e for e in ranked if e.is_description)
    described = tuple(e for e in texts if e.hops and e.hops[0].triple.subject.key in linked)
    singles = [e for e in ranked if len(e.hops) == 1 and not e.is_description]
    people = for_people(singles, retrieval)
    singles = [e for e in singles if e.key not in people.missing]
    asked = retrieval.aspects
    between = _between_to_tell(singles, retrieval)
    if choice := _of_two(between, people, retrieval):
        return choice
    chains = fitting(retrieval)
    if not asked and not is_overview(retrieval):
        if chains:
            return Choice((), (), chains, (), narrowed=True)
        return Choice(described, (), (), (), unclear=True)
    if not asked:
        return Choice(described, tuple(singles), chains, ())
    if "definition" in asked and not described:
        # "What is X" is answered by whatever the graph knows about X.
        return Choice((), tuple(singles), chains, ("definition",))
    straight = [e for e in singles if not is_backwards(e.hops[0].triple, retrieval)]
    wanted = {e.key: e for aspect in asked for e in _of_aspect(straight, aspect)}
    found = {a for e in wanted.values() for a in _aspects(e)}
    told_otherwise = set(found)
    if "cause" in asked and "cause" not in found:  # what has X as a symptom may be its cause
        shown = {e.key: e for e in singles if _shown_in(e, linked)}
        wanted |= shown
        told_otherwise |= {"cause"} if shown else set()
    if len({entity.iri for entity in asked_about(retrieval)}) == 1:
        # a way round is for what the entity does not have itself
        chains = tuple(e for e in chains if _aspects(e) & set(asked) - told_otherwise)
    found |= _said_by(chains, retrieval)
    if people.facts or not people.medicines:
        found.add("population")
    silent = tuple(a for a in asked if a != "definition" and not found & {a, *_WITH.get(a, ())})
    if "definition" not in asked and (wanted or chains):
        described = ()
    told = tuple(e for e in between if e.key in wanted)
    if people.contraindications and not told:
        told = tuple(e for e in wanted.values() if e in people.facts or not _aspects(e) & _ADVISING)
    narrowed = 0 < len(told) < len(wanted) or bool(people.missing)
    return Choice(described, told or tuple(wanted.values()), chains, silent, narrowed=narrowed)


def _between_to_tell(singles: Sequence[Evidence], retrieval: Retrieval) -> tuple[Evidence, ...]:
    """The facts that join two entities of the question, as far as they may answer it."""
    between = () if excluded(retrieval.question) else _between(singles, retrieval)
    if "contraindication" in retrieval.aspects:
        # "can I take X with Y" must not be answered by "X treats Y"
        return tuple(e for e in between if not _aspects(e) & {"treatment", "prevention"})
    return between


def _of_two(between: Sequence[Evidence], people: ForPeople, retrieval: Retrieval) -> Choice | None:
    """The choice where only what lies between two things, or is said of some people, answers.

    "Does X cause Y" is answered by the facts that join them, whatever they are called, else by the
    chains that do; no other fact is an answer.
    """
    asked = retrieval.aspects
    of_two = asks_of_two(retrieval)
    if (between and (not asked or of_two)) or _advises(people, retrieval):
        joining = tuple({e.key: e for e in (*people.facts, *between)}.values())
        unsaid = ("population",) if people.medicines and not people.facts else ()
        chains = inherited(retrieval) if of_two else fitting(retrieval, joining=True)
        return Choice((), joining, chains, unsaid, narrowed=True)
    if of_two and (chains := inherited(retrieval)):
        return Choice((), people.facts, chains, (), narrowed=True)
    if of_two and not set(asked) & {"contraindication", "interaction", "definition"}:
        chains = fitting(retrieval, joining=True)
        if asked or not asks_relation(retrieval.question):
            chains = tuple(item for item in chains if leads(item) and "treatment" not in asked)
        return Choice((), (), chains, (), narrowed=True)
    return None


def _advises(people: ForPeople, retrieval: Retrieval) -> bool:
    """Whether names alone are asked about, and something is said of their use: "X for babies"."""
    if retrieval.aspects or not people.advice:
        return False
    rest = retrieval.question
    for one in advised_people(retrieval):
        rest = one.question.sub(" ", rest)
    return is_overview(retrieval, rest)


def asks_of_two(retrieval: Retrieval) -> bool:
    """Whether the question asks what one thing does to another: "does X cause Y"."""
    two = len({entity.iri for entity in asked_about(retrieval)}) > 1
    return two and (is_yes_no(retrieval.question) or "cause" in retrieval.aspects)


def _shown_in(item: Evidence, linked: set[str]) -> bool:
    """Whether the item lists an entity of the question as a symptom of something."""
    triple = item.hops[0].triple
    value = triple.object if topic_is_subject(triple.relation) else triple.subject
    return triple.relation.aspect == "symptom" and value.key in linked


def _aspects(item: Evidence) -> set[str]:
    return {hop.triple.relation.aspect for hop in item.hops}


def _said_by(chains: Iterable[Evidence], retrieval: Retrieval) -> set[str]:
    """The aspects on which chains tell something of what was asked about.

    A chain from the one entity of a question answers it; of several entities, a hop of their own.
    """
    asked = {entity.iri for entity in asked_about(retrieval)}
    if len(asked) < 2:
        return {aspect for chain in chains for aspect in _aspects(chain)}
    hops = [hop.triple for chain in chains for hop in chain.hops]
    return {t.relation.aspect for t in hops if asked & {t.subject.key, t.object.key}}


def _of_aspect(items: Sequence[Evidence], aspect: str) -> list[Evidence]:
    main = [e for e in items if e.hops[0].triple.relation.aspect == aspect]
    with_it = _WITH.get(aspect, ())
    return main + [e for e in items if e.hops[0].triple.relation.aspect in with_it]


def _between(items: Iterable[Evidence], retrieval: Retrieval) -> tuple[Evidence, ...]:
    """The facts that join two entities of the question."""
    asked = asked_about(retrieval)
    return tuple(e for e in items if joins((hop.triple for hop in e.hops), asked))


def joined(retrieval: Retrieval) -> bool:
    """Whether some fact joins two entities of the question, or it names only one.

    People ("in pregnancy") are none: what is said of them stands on its own.
    """
    people = advised_people(retrieval)
    things = {e.iri for e in asked_about(retrieval) if not is_people(e, people)}
    one = len(things) < 2
    facts = [e for e in retrieval.evidence if len(e.hops) == 1]
    return one or bool(_between(facts, retrieval) or for_people(facts, retrieval).facts)


def joined_by_chain(retrieval: Retrieval, chains: Iterable[Evidence]) -> bool:
    """Whether one of these chains joins two entities of the question."""
    asked = asked_about(retrieval)
    return any(is_joining(item, asked) for item in chains)
