"""Evidence that says the same twice is one item, with the references of both."""

from __future__ import annotations

from dataclasses import replace

from kg.chains import chain_evidence
from kg.duplicates import without_duplicates
from kg.model import Evidence, Hop, Path, Source, Triple
from kg.ranking.order import fact_evidence
from tests.fake_graph import entity, fact

MIGRAINE, DRUG, ORGAN = entity("Migraine"), entity("Sumatriptan"), entity("Head")
HAS = fact(MIGRAINE, "has treatment", DRUG)
TREATS = fact(DRUG, "treats", MIGRAINE)


def of(triple: Triple, source: str, *references: str) -> Triple:
    """The triple as another source states it."""
    return replace(triple, sources=(Source(source, "1"),), references=references)


def kept(*triples: Triple) -> list[Evidence]:
    return without_duplicates(fact_evidence(triple) for triple in triples)


def test_a_fact_told_from_both_ends_is_one_item_with_both_references() -> None:
    one, other = of(HAS, "A", "PMID:1", "PMID:2"), of(TREATS, "B", "PMID:2", "PMID:3")
    (item,) = kept(one, other)
    (hop,) = item.hops
    assert item.text == "Migraine has treatment Sumatriptan"
    assert item.key == fact_evidence(one).key
    assert [source.name for source in hop.triple.sources] == ["A", "B"]
    assert hop.triple.references == ("PMID:1", "PMID:2", "PMID:3")
    assert kept(other, one)[0].text == "Sumatriptan treats Migraine"


def test_qualifiers_are_merged_and_ones_that_differ_keep_facts_apart() -> None:
    first = replace(HAS, qualifiers=(("line", "first"),))
    (item,) = kept(first, replace(TREATS, qualifiers=(("dose", "50 mg"),)))
    assert item.hops[0].triple.qualifiers == (("line", "first"), ("dose", "50 mg"))
    assert len(kept(first, replace(TREATS, qualifiers=(("line", "second"),)))) == 2


def test_two_relations_in_one_direction_are_two_claims() -> None:
    drug_therapy = fact(MIGRAINE, "has drug treatment", DRUG)
    assert len(kept(HAS, drug_therapy)) == 2
    assert len(kept(HAS, drug_therapy, TREATS)) == 2


def test_other_ends_aspects_and_directions_are_other_claims() -> None:
    causes = fact(DRUG, "causes", MIGRAINE)
    turned = fact(MIGRAINE, "treats", DRUG)
    assert len(kept(HAS, causes, turned, fact(ORGAN, "treats", MIGRAINE))) == 4


def test_what_has_no_known_aspect_is_never_turned() -> None:
    assert len(kept(fact(DRUG, "near", ORGAN), fact(ORGAN, "near", DRUG))) == 2


def test_interactions_read_the_same_from_both_ends() -> None:
    one, other = (fact(a, "interacts with", b) for a, b in ((DRUG, ORGAN), (ORGAN, DRUG)))
    assert len(kept(one, other)) == 1


def test_chains_that_say_the_same_are_one() -> None:
    last = Hop(fact(MIGRAINE, "affects", ORGAN))
    chains = (
        Path("path", (Hop(TREATS), last)),
        Path("co-occurrence", (Hop(of(HAS, "B"), forward=False), last)),
    )
    items = [chain_evidence(path, {}) for path in chains]
    (item,) = without_duplicates(items)
    assert item.kind == "path" and item.key == items[0].key
    assert {source.name for source in item.hops[0].triple.sources} > {"B"}
    alone = fact_evidence(TREATS)
    assert len(without_duplicates([item, alone])) == 2  # a triple alone is another item


def test_a_chain_found_from_both_ends_is_one() -> None:
    interacts, turned = (fact(a, "interacts with", b) for a, b in ((DRUG, ORGAN), (ORGAN, DRUG)))
    one = Path("co-occurrence", (Hop(TREATS, forward=False), Hop(interacts)))
    other = Path("path", (Hop(turned), Hop(TREATS)))
    (item,) = without_duplicates(chain_evidence(path, {}) for path in (one, other))
    assert item.kind == "co-occurrence"


def test_a_literal_and_a_loop_are_kept() -> None:
    text = fact(MIGRAINE, "definition", "A headache.")
    loop = fact(DRUG, "interacts with", DRUG)
    assert len(kept(text, text, loop, loop)) == 2
