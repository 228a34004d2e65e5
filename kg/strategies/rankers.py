"""The models that rank for one question: what is left of them, and of the re-ranker's time.

One that fails is left out from then on, which is said once; its error says what is done instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from kg.deadline import Deadline
from kg.errors import ModelError
from kg.protocols import Encoder
from kg.ranking.fragments import RankedChains
from kg.ranking.hub import Job
from kg.ranking.order import Ranked, Ranker
from kg.ranking.reranking import LEAST_RERANKED, TimedReranker
from kg.strategies.parameters import Parameters
from kg.strategies.request import Means

__all__ = ["Rankers"]


class Rankers:
    """Makes the Ranker of each stage. `problems` are pairs of English and Chinese lines.

    `used` names the models for the trace; `complete` is False when the encoder had no time for
    all of it.
    """

    def __init__(self, means: Means, parameters: Parameters, language: str) -> None:
        encoder, reranker = means.encoder, means.reranker
        self.encoder: Encoder | None = None
        if encoder is not None and language in encoder.languages:
            self.encoder = encoder
        self._reranker = TimedReranker(reranker) if reranker else None
        self._fits = reranker is None or language in reranker.languages
        self._parameters, self._seconds = parameters, means.reranker_seconds
        self._done = self._asked = 0
        self._used_up = False  # the re-ranker's time, before a stage that would have asked it
        self.used = {"reranker": "none", "encoder": "lexical"}
        self.complete = True
        self.problems: dict[tuple[str, str], None] = {}

    def ranker(self, deadline: Deadline, *, draft: str | None = None) -> Ranker:
        """How triples and chains are ranked, until `deadline`."""
        encoder, reranker = self._in_time(deadline), self._usable_reranker()
        if encoder is not None:
            self.used["encoder"] = encoder.name
        if reranker is not None:
            self.used["reranker"] = reranker.name
        left = self._seconds - reranker.seconds if reranker else 0.0
        if reranker is not None and left <= 0:
            reranker, self._used_up = None, True
        return Ranker(
            mode=self._parameters.ranking,
            encoder=encoder,
            reranker=reranker,
            draft=draft,
            keep=self._parameters.keep,
            top=self._parameters.top,
            deadline=deadline.within(left),
            encoder_deadline=deadline,
        )

    def cheap(self, deadline: Deadline) -> Ranker:
        """By shared words, aspects and frequency alone."""
        return Ranker(keep=self._parameters.keep, top=self._parameters.top, deadline=deadline)

    def shares(self, ranker: Ranker, deadline: Deadline, count: int) -> Iterator[Ranker]:
        """The ranker for each of so many lists: the re-ranker's time is shared out among them.

        A model that fails on one is no part of the next, nor an encoder whose time has ended.
        """
        for waiting in range(count, 0, -1):
            yield replace(
                ranker,
                encoder=ranker.encoder and self._in_time(deadline),
                reranker=ranker.reranker and self._reranker,
                deadline=ranker.deadline.within(ranker.deadline.remaining / waiting),
                least=-(-LEAST_RERANKED // count),
            )

    def heed(self, ranked: Ranked | RankedChains) -> None:
        """Take up what a ranking had to do without, or had no time for."""
        self.leave_out(ranked.failed)
        if not ranked.complete:
            self._say_unread()
        self._done += ranked.reranked
        self._asked += ranked.asked

    def leave_out(self, failed: Mapping[Job, ModelError]) -> None:
        """Go on without these models."""
        for job, error in failed.items():
            self.problems[error.message("en"), error.message("zh")] = None
            if job == "encoder":
                self.encoder, self.used["encoder"] = None, "lexical"
            else:
                self._reranker, self.used["reranker"] = None, "none"

    def all_problems(self) -> list[tuple[str, str]]:
        """What is to be told at the end, in English and Chinese."""
        lines = list(self.problems)
        if self._reranker is not None and (self._done < self._asked or self._used_up):
            lines.append(
                (
                    f"The re-ranker's time ended after {self._done} items; the rest keep their "
                    "order.",
                    f"重排时间用完，只处理了 {self._done} 项，其余保持原有顺序。",
                )
            )
        return lines

    def _in_time(self, deadline: Deadline) -> Encoder | None:
        if self.encoder is not None and deadline.expired:
            self._say_unread()
            return None
        return self.encoder

    def _usable_reranker(self) -> TimedReranker | None:
        if self._reranker is None or self._fits:
            return self._reranker
        name = self._reranker.name
        line = (
            f"The re-ranker {name} may not rank this language; the order stays.",
            f"重排模型 {name} 不支持该语言，保持原有顺序。",
        )
        self.problems[line] = None
        return None

    def _say_unread(self) -> None:
        self.complete = False
        line = (
            "The time ended before the encoder had read all facts; shared words rank the rest.",
            "时间用完，编码器未能读完全部事实，其余按词语重合度排序。",
        )
        self.problems[line] = None
