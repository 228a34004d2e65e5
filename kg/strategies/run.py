"""One question under way: what every strategy does the same, and what it found so far.

A stage that runs out of time leaves what it has, and the stages after it work with that: the best
so far comes back, marked incomplete. A model that fails is said, and the strategy steps down.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from kg.asking import Asking
from kg.aspects import aspects_of_question
from kg.deadline import Deadline
from kg.duplicates import without_duplicates
from kg.errors import DeadlineExceeded, ModelError
from kg.linking import LinkOptions, link
from kg.mentions import mentions_of_terms, open_spans
from kg.model import ChainKind, Evidence, LinkedEntity, Mention, Origin, Retrieval, Triple
from kg.populations import is_people
from kg.protocols import Encoder
from kg.questions import asking_part, names_alone
from kg.ranking.order import Ranker
from kg.reading import Reading
from kg.strategies.rankers import Rankers
from kg.strategies.request import Means, Request

__all__ = ["Run"]

Result = TypeVar("Result")
_FEW = 4  # names in one line
_OF_ALL = frozenset({"contraindication", "interaction", "precaution"})


class Run:
    """The state of one question; a strategy fills it and asks for the retrieval at the end."""

    def __init__(self, request: Request, means: Means) -> None:
        self.request, self.means = request, means
        self.vectors = means.vectors
        self.rankers = Rankers(means, request.parameters, request.language)
        self.parameters = request.parameters
        self.asking = Asking(
            means.model, request.language, means.model_seconds, request.deadline.stopped
        )
        self.reading = Reading(means.graph, request.language, request.deadline)
        self.question = request.question
        self.aspects = aspects_of_question(request.question)
        self.mentions: tuple[Mention, ...] = ()
        self.entities: tuple[LinkedEntity, ...] = ()
        self.facts: dict[str, tuple[Triple, ...]] = {}
        self.evidence: tuple[Evidence, ...] = ()
        self.conflicts: tuple[tuple[str, str], ...] = ()
        self.hypothesis: str | None = None
        self.notes: dict[str, str] = {}
        self.chains_found: Mapping[ChainKind, int] = {}
        self.timings: dict[str, float] = {}
        self.problems: list[str] = []
        self.complete = True

    @property
    def deadline(self) -> Deadline:
        """The end of the time for graph and ranking; what models took so far does not count."""
        return self.request.deadline.later(self.asking.seconds_spent)

    @property
    def encoder(self) -> Encoder | None:
        """The encoder, while there is time for it."""
        return None if self.deadline.expired else self.rankers.encoder

    @property
    def about_alone(self) -> bool:
        """Whether the question asks for nothing of what it names: "tell me about migraine"."""
        names = {mention.text for mention in self.mentions}
        names |= {name for entity in self.entities for name in (entity.mention, entity.label)}
        return not set(self.aspects) - {"definition"} and names_alone(self.question, names)

    @property
    def background(self) -> frozenset[str]:
        """Entities that stand beside the sentence that asks: "I have A. What helps against B?".

        None where that sentence names no entity, asks for no aspect, or whether something may
        be used: that is a question about all.
        """
        asking = asking_part(self.request.question)
        asked = {entity.iri for entity in self.entities if entity.mention in asking}
        if not asked or not self.aspects or _OF_ALL & set(self.aspects):
            return frozenset()
        named = (e for e in self.entities if e.how != "carried" and e.mention in self.question)
        return frozenset(entity.iri for entity in named) - asked

    def attempt(self, work: Callable[[], Result]) -> Result:
        """Do it; again without the encoder when that fails, which is said."""
        try:
            return work()
        except ModelError as error:
            if self.rankers.encoder is None and self.vectors is None:
                raise
            self.rankers.leave_out({"encoder": error})
            self.vectors = None
            return work()

    def say(self, english: str, chinese: str) -> None:
        """Note a line for the user, once."""
        line = chinese if self.request.language == "zh" else english
        if line not in self.problems:
            self.problems.append(line)

    @contextmanager
    def stage(self, name: str, *, share: float = 1.0) -> Iterator[None]:
        """Announce a stage and take its time in milliseconds; running out of time ends it.

        `share` is how much of the time that is left the graph may take for it.
        """
        self.check_stopped()
        self.request.on_stage(name)
        self.reading.deadline = self.deadline.within(self.deadline.remaining * share)
        began, spent = time.perf_counter(), self.asking.seconds_spent
        try:
            yield
        except DeadlineExceeded as error:
            self.cut_off(error)
        finally:
            modelled = self.asking.seconds_spent - spent
            taken = (time.perf_counter() - began - modelled) * 1000
            self.timings[name] = round(self.timings.get(name, 0.0) + taken, 2)
            if modelled:
                self.timings["model"] = round(self.asking.seconds_spent * 1000, 2)

    def check_stopped(self) -> None:
        """Raise DeadlineExceeded when nobody waits any more."""
        if self.request.deadline.stopped():
            self.request.deadline.check("answering")

    def cut_off(self, error: DeadlineExceeded) -> None:
        """Mark what is found as incomplete; a question that was stopped ends here."""
        if self.request.deadline.stopped():
            raise error
        self.complete = False
        message = error.message(self.request.language)
        if message not in self.problems:
            self.problems.append(message)

    # Linking

    def read_question(self, *, nested: bool = False) -> None:
        """Mentions and entities of the question, with what the last turn carries over."""
        carried = self.request.carried
        self.aspects = self.aspects or carried.aspects
        with self.stage("mentions"):
            self.mentions = self._mentions(self.request.question, "question")
        with self.stage("linking"):
            linked = self._link(self.request.question, self.mentions, nested=nested)
            self.entities = self._with_carried(linked)

    def read_hypothesis(self, text: str) -> tuple[LinkedEntity, ...]:
        """The entities that a model's text names; new ones stand beside those of the question."""
        with self.stage("mentions"):
            brought = self._mentions(text, "hypothesis")
            self.mentions += brought
        with self.stage("linking"):
            known = {entity.iri for entity in self.entities}
            linked = self._link(text, brought, nested=True)
            self.entities += tuple(entity for entity in linked if entity.iri not in known)
            return linked
        return ()

    def name_terms(self, terms: Sequence[str]) -> None:
        """Link what a model named in the question, in place of the graph's own names in it."""
        with self.stage("mentions"):
            self.mentions = mentions_of_terms(self.request.question, terms)
        with self.stage("linking"):
            self.entities = self._with_carried(
                self._link(self.request.question, self.mentions, nested=False)
            )

    def _mentions(self, text: str, origin: Origin) -> tuple[Mention, ...]:
        found = self.reading.mentions(text)
        if self.vectors is not None:
            found += open_spans(text, found)
        return tuple(replace(mention, origin=origin) for mention in found)

    def _link(
        self, text: str, mentions: Sequence[Mention], *, nested: bool
    ) -> tuple[LinkedEntity, ...]:
        def work() -> tuple[LinkedEntity, ...]:
            options = LinkOptions(
                nested=nested,
                vectors=self.vectors,
                delta=self.parameters.delta,
                vectors_only=self.parameters.linking == "embedding" and self.vectors is not None,
            )
            return link(text, mentions, self.aspects, self.reading, options)

        return self.attempt(work)

    def _with_carried(self, linked: tuple[LinkedEntity, ...]) -> tuple[LinkedEntity, ...]:
        carried = self.request.carried
        if carried.entities and _only_people(self.request.question, linked):
            linked = ()  # "and in pregnancy?" asks about what the last turn was about
        own = {entity.iri for entity in linked}
        before = [e for e in carried.entities if e.iri not in own]
        if not before or (linked and not carried.refers_back):
            return linked
        names = ", ".join(entity.label for entity in before)
        self.question = f"{self.request.question} ({names})"
        return (*(replace(e, how="carried") for e in before), *linked)

    # Ranking and the end

    def ranker(self, *, draft: str | None = None) -> Ranker:
        """How this question's triples and chains are ranked now."""
        return self.rankers.ranker(self.deadline, draft=draft)

    def _with_origin(self, item: Evidence) -> Evidence:
        """The item, marked where it is only about what a model brought."""
        ends = {end.key for hop in item.hops for end in (hop.triple.subject, hop.triple.object)}
        origins = {entity.origin for entity in self.entities if entity.iri in ends}
        return replace(item, origin="hypothesis") if origins == {"hypothesis"} else item

    def _set(self, name: str) -> object:
        """A parameter as the trace shows it; of models what was really used."""
        if name in self.rankers.used:
            return self.rankers.used[name]
        value = getattr(self.parameters, name)
        return sorted(value) if isinstance(value, frozenset) else value

    def _say_guessed(self) -> None:
        names = [entity.label for entity in self.entities]
        self.say(
            "Nothing that the question names was found in the graph: the facts are about what the "
            f"model named ({', '.join(names[:_FEW])}).",
            f"图谱中没有找到问题提到的名称：以下事实关于模型提到的内容（{'、'.join(names[:_FEW])}）。",
        )

    def retrieval(self, strategy: str, why: str, used: Iterable[str]) -> Retrieval:
        """The trace. `used` names the parameters that this strategy works with."""
        parameters = {name: self._set(name) for name in used}
        for line in self.rankers.all_problems():
            self.say(*line)
        if self.evidence and all(entity.origin == "hypothesis" for entity in self.entities):
            self._say_guessed()
        evidence = without_duplicates(self._with_origin(item) for item in self.evidence)
        return Retrieval(
            question=self.question,
            language=self.request.language,
            aspects=self.aspects,
            strategy=strategy,
            parameters=parameters,
            why=why,
            mentions=self.mentions,
            entities=self.entities,
            evidence=tuple(replace(item, rank=n) for n, item in enumerate(evidence, 1)),
            graph=self.means.graph.identity(),
            triples_found=sum(len(triples) for triples in self.facts.values()),
            found_by_aspect=_by_aspect(self.facts),
            hypothesis=self.hypothesis,
            notes=self.notes,
            chains_found=self.chains_found,
            chains_kept=sum(1 for item in evidence if len(item.hops) > 1),
            conflicts=self.conflicts,
            calls=dict(self.asking.calls),
            tokens=self.asking.tokens,
            timings=self.timings,
            complete=self.complete and self.rankers.complete,
            problems=tuple(dict.fromkeys((*self.problems, *self.asking.problems))),
        )


def _by_aspect(facts: Mapping[str, Sequence[Triple]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for triples in facts.values():
        for triple in triples:
            counts[triple.relation.aspect] = counts.get(triple.relation.aspect, 0) + 1
    return dict(sorted(counts.items()))


def _only_people(question: str, linked: Sequence[LinkedEntity]) -> bool:
    """Whether a question names nothing but the people that something is asked for."""
    names = [entity.mention for entity in linked]
    return bool(names) and all(map(is_people, names)) and names_alone(question, names)
