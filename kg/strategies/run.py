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
from kg.aspects import aspects_of_question, words_beside_aspects
from kg.deadline import Deadline
from kg.errors import DeadlineExceeded, ModelError
from kg.linking import LinkOptions, link
from kg.mentions import mentions_of_terms, open_spans
from kg.model import ChainKind, Evidence, LinkedEntity, Mention, Origin, Retrieval, Triple
from kg.populations import populations_in
from kg.protocols import Encoder, Reranker
from kg.ranking.order import Ranker
from kg.reading import Reading
from kg.strategies.request import Means, Request

__all__ = ["Run"]

Result = TypeVar("Result")


class Run:
    """The state of one question; a strategy fills it and asks for the retrieval at the end."""

    def __init__(self, request: Request, means: Means) -> None:
        self.request, self.means = request, means
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
        """The encoder, where it may rank this language and there is time to use it."""
        encoder = self.means.encoder
        usable = encoder is not None and self.request.language in encoder.languages
        return encoder if usable and not self.deadline.expired else None

    @property
    def reranker(self) -> Reranker | None:
        """The re-ranker, where it may rank this language."""
        reranker = self.means.reranker
        if reranker is None or self.request.language in reranker.languages:
            return reranker
        self.say(
            f"The re-ranker {reranker.name} may not rank this language; the order stays.",
            f"重排模型 {reranker.name} 不支持该语言，保持原有顺序。",
        )
        return None

    def attempt(self, work: Callable[[], Result]) -> Result:
        """Do it with re-ranker and encoder; again without the one that fails, which is said."""
        while True:
            try:
                return work()
            except ModelError as error:
                if self.means.reranker is not None:
                    self.means = replace(self.means, reranker=None)
                    instead = ("The order without it is kept.", "保持未重排的顺序。")
                elif self.means.encoder is not None:
                    self.means = replace(self.means, encoder=None)
                    instead = ("Ranked by shared words instead.", "已改用词语重合度排序。")
                else:
                    raise
                self.asking.fell_back(error, english=instead[0], chinese=instead[1])

    def say(self, english: str, chinese: str) -> None:
        """Note a line for the user, once."""
        line = chinese if self.request.language == "zh" else english
        if line not in self.problems:
            self.problems.append(line)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Announce a stage and take its time in milliseconds; running out of time ends it."""
        self.request.on_stage(name)
        self.reading.deadline = self.deadline
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
        if self.means.vectors is not None:
            found += open_spans(text, found)
        return tuple(replace(mention, origin=origin) for mention in found)

    def _link(
        self, text: str, mentions: Sequence[Mention], *, nested: bool
    ) -> tuple[LinkedEntity, ...]:
        options = LinkOptions(
            nested=nested,
            vectors=self.means.vectors,
            delta=self.parameters.delta,
            vectors_only=self.parameters.linking == "embedding",
        )
        linked = link(text, mentions, self.aspects, self.reading, options)
        return tuple(replace(one, nested=_is_inside_another(one, linked)) for one in linked)

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
        """How this question's triples and chains are ranked."""
        return Ranker(
            mode=self.parameters.ranking,
            encoder=self.encoder,
            reranker=self.reranker,
            draft=draft,
            keep=self.parameters.keep,
            top=self.parameters.top,
            deadline=self.deadline.within(self.means.reranker_seconds),
        )

    def say_reranked(self, done: int, asked: int) -> None:
        """Say that a re-ranker's time ended before all were scored."""
        if done < asked:
            self.say(
                f"The re-ranker's time ended after {done} of {asked} items; the rest keep their "
                "order.",
                f"重排时间用完，只处理了 {asked} 项中的 {done} 项，其余保持原有顺序。",
            )

    def retrieval(self, strategy: str, why: str, used: Iterable[str]) -> Retrieval:
        """The trace. `used` names the parameters that this strategy works with."""
        encoder, reranker = self.encoder, self.means.reranker
        parameters: dict[str, object] = {name: getattr(self.parameters, name) for name in used}
        if "without" in parameters:
            parameters["without"] = sorted(self.parameters.without)
        parameters["reranker"] = reranker.name if reranker else "none"
        parameters["encoder"] = encoder.name if encoder else "lexical"
        return Retrieval(
            question=self.question,
            language=self.request.language,
            aspects=self.aspects,
            strategy=strategy,
            parameters=parameters,
            why=why,
            mentions=self.mentions,
            entities=self.entities,
            evidence=tuple(replace(item, rank=n) for n, item in enumerate(self.evidence, 1)),
            graph=self.means.graph.identity(),
            triples_found=sum(len(triples) for triples in self.facts.values()),
            found_by_aspect=_by_aspect(self.facts),
            hypothesis=self.hypothesis,
            notes=self.notes,
            chains_found=self.chains_found,
            chains_kept=sum(1 for item in self.evidence if len(item.hops) > 1),
            conflicts=self.conflicts,
            calls=dict(self.asking.calls),
            tokens=self.asking.tokens,
            timings=self.timings,
            complete=self.complete,
            problems=tuple(dict.fromkeys((*self.problems, *self.asking.problems))),
        )


def _by_aspect(facts: Mapping[str, Sequence[Triple]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for triples in facts.values():
        for triple in triples:
            counts[triple.relation.aspect] = counts.get(triple.relation.aspect, 0) + 1
    return dict(sorted(counts.items()))


def _is_inside_another(entity: LinkedEntity, entities: Sequence[LinkedEntity]) -> bool:
    return any(
        len(e.mention) > len(entity.mention) and entity.mention in e.mention for e in entities
    )


def _only_people(question: str, linked: Sequence[LinkedEntity]) -> bool:
    """Whether a question names nothing but the people that something is asked for."""
    rest = question
    for entity in linked:
        if not populations_in(entity.mention):
            return False
        rest = rest.replace(entity.mention, " ")
    return bool(linked) and not words_beside_aspects(rest)
