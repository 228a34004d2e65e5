"""Numbers are dense, in order of first citation, and stay."""

from __future__ import annotations

from bot.citations.numbers import Numbers
from kg.quoting import opaque_ids
from tests.graphs import entity, item, triple


def test_numbers_are_dense_and_stay() -> None:
    numbers = Numbers()
    assert [numbers.number(key) for key in "baba"] == [1, 2, 1, 2]
    assert numbers.number("c") == 3


def test_a_conversation_is_continued() -> None:
    numbers = Numbers({"a": 1, "b": 4})
    assert numbers.number("b") == 4
    assert numbers.number("c") == 5


def test_ids_follow_the_order_and_one_item_has_one_id() -> None:
    one = item(triple(entity("sumatriptan"), "treats", entity("migraine")))
    two = item(triple(entity("ibuprofen"), "treats", entity("migraine")))
    assert opaque_ids([one, two, one]) == {"E1": one.key, "E2": two.key}
