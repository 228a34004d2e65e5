"""Which licences allow no commercial use."""

from __future__ import annotations

import pytest

from kg.sources.licences import is_non_commercial


@pytest.mark.parametrize(
    "licence",
    [
        "CC BY-NC 4.0",
        "CC-BY-NC-SA-4.0",
        "cc by nc nd",
        "CC NC",
        "http://creativecommons.org/licenses/by-nc/4.0/",
        "https://creativecommons.org/licenses/by-nc-sa/4.0/legalcode",
        "Creative Commons Attribution-NonCommercial 4.0 International",
        "Free for non-commercial use",
        "free for noncommercial use",
        "non commercial use",
        "Not for commercial use",
        "no commercial use",
        "May not be used for commercial purposes",
        "research use only",
        "For academic and research use only",
        "only for personal use",
        "仅供学术研究使用",
        "非商业用途",
        "不得用于商业用途",
    ],
)
def test_licences_without_commercial_use(licence: str) -> None:
    assert is_non_commercial(licence)


@pytest.mark.parametrize(
    "licence",
    [
        None,
        "",
        "CC0",
        "CC BY 4.0",
        "CC-BY-SA-3.0",
        "https://creativecommons.org/licenses/by/4.0/",
        "https://creativecommons.org/publicdomain/zero/1.0/",
        "MIT",
        "MIT (the package PyCMeKG); none is stated for CMeKG itself",
        "Apache-2.0",
        "https://hpo.jax.org/app/license",
        "public domain",
        "UMLS Metathesaurus licence",
        "commercial and non-commercial use are allowed",
        "Commercial use allowed",
        "any use, non-commercial or commercial",
        "ABNC 1",
        "NC State University licence",
    ],
)
def test_other_licences(licence: str | None) -> None:
    assert not is_non_commercial(licence)
