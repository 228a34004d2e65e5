"""Which names of a graph have no stored vectors, in one line: for a question and for `doctor`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from kg.local.vector_files import BuiltBy, built_by

__all__ = ["missing_vectors"]

_MOST = 3  # sources that are named


def missing_vectors(
    folder: Path, encoder: BuiltBy, missing: Sequence[str]
) -> Mapping[str, str] | None:
    """One line per language on what `encoder` has not embedded; None where nothing is missing.

    None also where no encoder has built vectors: they are an offer, not a need. `missing` names the
    sources that have none by this encoder.
    """
    if not missing:
        return None
    builders = built_by(folder)
    if not builders:
        return None
    if not any(_is_same(one, encoder) for one in builders):
        made, now = ", ".join(map(_shown, builders)), _shown(encoder)
        return {
            "en": f"The stored vectors of names were made by {made}, and the encoder is now {now}: "
            "run 'graphcite kg vectors', so that other wordings of names are found again.",
            "zh": f"存储的名称向量由 {made} 生成，而现在的编码器是 {now}："
            "请运行 graphcite kg vectors，以便重新找到名称的其他说法。",
        }
    names = ", ".join(missing[:_MOST])
    more = len(missing) - _MOST
    return {
        "en": f"The names of {names}{f' and {more} more' if more > 0 else ''} have no stored "
        "vectors: run 'graphcite kg vectors', so that their other wordings are found.",
        "zh": f"{names}{f' 等 {len(missing)} 个来源' if more > 0 else ''} 的名称没有存储的向量："
        "请运行 graphcite kg vectors，以便找到它们的其他说法。",
    }


def _is_same(one: BuiltBy, own: BuiltBy) -> bool:
    """Vectors of an older version do not say for which languages they were made."""
    return one.encoder == own.encoder and one.languages in (own.languages, frozenset())


def _shown(one: BuiltBy) -> str:
    languages = ", ".join(sorted(one.languages))
    return f"{one.encoder} ({languages})" if languages else one.encoder
