"""The cache of an encoder's vectors: what it spares, and what it survives."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.ranking.encoding import BATCH, encoded_in_time
from kg.ranking.vector_cache import CachedEncoder
from tests.limits import bound_by_permissions, full_disk, posix_only


class Counting:
    """An encoder that counts what it is asked to encode."""

    languages = frozenset({"en"})

    def __init__(self, name: str = "counting") -> None:
        self.name = name
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return np.asarray([[len(text) / 7, 1 / 3] for text in texts], dtype=np.float32)


def test_vectors_are_encoded_once_and_survive(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "vectors.sqlite"
    first = Counting()
    cache = CachedEncoder(first, path)
    cold = cache.encode(["aa", "b", "aa"])
    assert first.texts == ["aa", "b"]
    warm = cache.encode(["b", "aa"])
    cache.close()
    assert np.array_equal(cold[:2], warm[::-1])

    again = Counting()
    cache = CachedEncoder(again, path)
    assert np.array_equal(cache.encode(["aa", "b", "aa"]), cold)
    assert again.texts == []
    assert cache.encode([]).shape[0] == 0
    cache.close()


def test_models_do_not_share_vectors(tmp_path: Path) -> None:
    one = CachedEncoder(Counting("one"), tmp_path / "v.sqlite")
    one.encode(["text"])
    one.close()
    other = Counting("other")
    cache = CachedEncoder(other, tmp_path / "v.sqlite")
    cache.encode(["text"])
    cache.close()
    assert other.texts == ["text"]


WITHOUT_CACHE = """
import sys
from pathlib import Path
from kg.deadline import Deadline
from kg.ranking.encoding import BATCH, encoded_in_time
from kg.ranking.vector_cache import CachedEncoder
from tests.kg.ranking.test_vector_cache import Counting
encoder = Counting()
cache = CachedEncoder(encoder, Path(sys.argv[1]))
assert cache.encode(["aa", "b"]).shape == cache.encode(["aa", "b"]).shape == (2, 2)
print(encoder.texts)
cache.close()
"""


@posix_only
@pytest.mark.parametrize("limit", [full_disk, bound_by_permissions])
@pytest.mark.parametrize("existing", [False, True])
def test_where_nothing_can_be_written_vectors_are_made_without_cache(
    tmp_path: Path, limit: Callable[[], None], existing: bool
) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    path = folder / "v.sqlite"
    if existing:
        cache = CachedEncoder(Counting(), path)
        cache.encode(["other"])
        cache.close()
        path.chmod(0o444)
    folder.chmod(0o555)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_CACHE, str(path)],
        cwd=Path(__file__).parents[3], capture_output=True, text=True, preexec_fn=limit,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == "['aa', 'b', 'aa', 'b']\n"
    folder.chmod(0o755)


@pytest.mark.parametrize("content", ["no database " * 500, ""])
def test_a_cache_that_cannot_be_used_is_not(tmp_path: Path, content: str) -> None:
    path = tmp_path / "v.sqlite"
    path.write_text(content)
    for place in (path, tmp_path, path / "below"):
        cache = CachedEncoder(Counting(), place)
        assert cache.encode(["aa", "b"]).shape == (2, 2)
        cache.close()


def test_a_cache_that_fails_midway_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    encoder = Counting()
    cache = CachedEncoder(encoder, path)
    cache.encode(["aa"])
    other = sqlite3.connect(path)
    other.execute("DROP TABLE vectors")
    other.commit()
    assert cache.encode(["aa"]).shape == cache.encode(["aa"]).shape == (1, 2)
    assert encoder.texts == ["aa"] * 3
    other.execute("CREATE TABLE vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)")
    other.commit()
    other.close()
    cache.encode(["aa"])
    cache.encode(["aa"])
    assert encoder.texts == ["aa"] * 4  # no transaction was left open
    cache.close()


def test_vectors_of_another_length_are_not_mixed(tmp_path: Path) -> None:
    class Growing:
        """An encoder whose server gets another model under the same name."""

        name, languages, dimensions = "growing", frozenset({"en"}), 2

        def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.ones((len(texts), self.dimensions), dtype=np.float32)

    model = Growing()
    cached = CachedEncoder(model, tmp_path / "vectors.sqlite")
    try:
        assert cached.encode(["a"]).shape == (1, 2)
        model.dimensions = 3
        assert cached.encode(["a", "b"]).shape == (2, 3)
        assert cached.encode(["a"]).shape == (1, 3)  # the old ones are gone
        model.dimensions = 4
        texts = ["a", "b", *(str(n) for n in range(2 * BATCH))]
        cached.encode(texts[:2])
        assert encoded_in_time(cached, texts, Deadline.after(60)).shape == (len(texts), 4)
    finally:
        cached.close()
