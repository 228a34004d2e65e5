"""MRCONSO: the names of concepts, in every language, and their codes in other vocabularies.

Of each language one name is the label: the one that UMLS prefers (TS=P, STT=PF, ISPREF=Y), else the
one whose vocabulary and term type rank highest (MRRANK, or an order of ours). Names that differ in
case only are one. Abbreviations, obsolete names and permutations are loose synonyms. Rows of the
vocabulary SRC name vocabularies, not things, and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pyoxigraph import Literal, NamedNode

from kg.errors import BadInput
from kg.sources.curies import canonical, iri_of_curie
from kg.sources.statements import ImportOptions, Statement
from kg.sources.umls.rrf import RrfTable, concept_number
from kg.sources.vocabulary import OBO_IN_OWL, RDFS_LABEL, SKOS

__all__ = ["Ranks", "UmlsNames", "concept_node", "language_tag"]

_CONCEPTS = iri_of_curie("UMLS:C0000000").removesuffix("C0000000")
_LABEL = NamedNode(RDFS_LABEL)
_EXACT = NamedNode(SKOS + "altLabel")
_LOOSE = NamedNode(OBO_IN_OWL + "hasRelatedSynonym")
_XREF = NamedNode(OBO_IN_OWL + "hasDbXref")
_SUPPRESSED = frozenset("EOY")
_MOST_ATOMS = 50_000  # held in memory for one concept
# LAT codes (ISO 639-2, some of its older ones) → BCP 47.
_LANGUAGES = {
    "ENG": "en", "CHI": "zh", "SPA": "es", "FRE": "fr", "GER": "de", "POR": "pt", "ITA": "it",
    "DUT": "nl", "SWE": "sv", "FIN": "fi", "DAN": "da", "NOR": "no", "CZE": "cs", "HUN": "hu",
    "POL": "pl", "RUS": "ru", "JPN": "ja", "KOR": "ko", "TUR": "tr", "GRE": "el", "EST": "et",
    "LAV": "lv", "SCR": "hr", "HRV": "hr", "HEB": "he", "BAQ": "eu", "ARA": "ar", "UKR": "uk",
    "LIT": "lt", "SLO": "sk", "SLV": "sl", "RUM": "ro", "BUL": "bg", "ICE": "is", "CAT": "ca",
}  # fmt: skip
# Term types that name the concept itself: preferred names, synonyms and entry terms.
_EXACT_TYPES = frozenset(
    "PN PT PTGB PTN PTCS PTAV SY SYGB MTH_PT MTH_SY MH NM EN EP ET PEN PEP PCE CE ETCF ETCLIN FN "
    "HT HG OS HC IN PIN MIN BN BD GN CD SCD SBD SCDC SBDC SCDF SBDF GPCK BPCK PSN TMSY DP DF SU DE "
    "DI FI LC LN LPN CN CMN SCN EQ NA LT IT GT PR SI TG CU MD SD MV SP CSN USN".split()
)
# Without MRRANK: vocabularies whose preferred names read well, best first, then term types.
_VOCABULARIES = "MTH MSH RXNORM SNOMEDCT_US HPO NCI MDR ICD10CM OMIM".split()
_BEST_TYPES = frozenset("PN PT PTGB MH NM IN MIN PIN SCD SBD BN HT DE DI FI MTH_PT".split())


class _Codes(NamedTuple):
    """How a vocabulary's codes are written, and of which term types: those that name the code."""

    prefix: str
    types: frozenset[str]
    pattern: re.Pattern[str]


def _codes(prefix: str, types: str, pattern: str) -> _Codes:
    return _Codes(prefix, frozenset(types.split()), re.compile(pattern))


# An entry term carries the code of its heading though it may be a narrower concept: not a join.
_CODES = {
    "MSH": _codes("MESH", "MH NM", r"[A-Z]\d+"),
    "HPO": _codes("HP", "PT", r"HP:\d{7}"),
    "MONDO": _codes("MONDO", "PT", r"MONDO:\d{7}"),
    "GO": _codes("GO", "PT", r"GO:\d{7}"),
    "HGNC": _codes("HGNC", "PT", r"HGNC:\d+"),
    "FMA": _codes("FMA", "PT", r"\d+"),
    "OMIM": _codes("OMIM", "PT HT", r"\d{6}"),
    "ORPHANET": _codes("ORPHA", "PT", r"\d+"),
    "SNOMEDCT_US": _codes("SNOMEDCT", "PT", r"\d{6,18}"),
    "NCI": _codes("NCIT", "PT", r"C\d+"),
    "RXNORM": _codes(
        "RXNORM", "IN PIN MIN BN SCD SBD SCDC SBDC SCDF SBDF SCDG SBDG GPCK BPCK DF DFG", r"\d+"
    ),
    "DRUGBANK": _codes("DrugBank", "IN PT", r"DB\d{5}"),
    "ATC": _codes("ATC", "IN PT RXN_IN RXN_PT", r"[A-Z](?:\d\d(?:[A-Z](?:[A-Z](?:\d\d)?)?)?)?"),
    "ICD10CM": _codes("ICD10CM", "PT HT", r"[A-Z]\d[\dA-Z](?:\.[\dA-Z]+)?"),
    "ICD10": _codes("ICD10", "PT HT", r"[A-Z]\d\d(?:\.\d+)?"),
    "ICD9CM": _codes("ICD9CM", "PT HT", r"[EV]?\d+(?:\.\d+)?"),
    "MDR": _codes("MEDDRA", "PT HT HG OS", r"\d{8}"),
    "LNC": _codes("LOINC", "LN LPN", r"(?:LP|MTHU)?\d+(?:-\d)?"),
    "NCBI": _codes("NCBITaxon", "SCN", r"\d+"),
    "NDFRT": _codes("NDFRT", "PT FN", r"N\d{10}"),
    "MED-RT": _codes("NDFRT", "PT FN", r"N\d{10}"),
}


class _Atom(NamedTuple):
    """One kept name. `order` sorts the names of a language, the label first."""

    order: tuple[bool, bool, int, bool, bool, str]
    language: str | None
    name: str
    exact: bool


class Ranks:
    """How vocabularies and term types rank: by MRRANK (higher is better), else by our order."""

    def __init__(self, table: Mapping[tuple[str, str], int]) -> None:
        self._table = table

    def order(self, vocabulary: str, term_type: str) -> int:
        """The lower, the better."""
        if self._table:
            return -self._table.get((vocabulary, term_type), 0)
        place = _VOCABULARIES.index(vocabulary) if vocabulary in _VOCABULARIES else 99
        return place + (0 if term_type in _BEST_TYPES else 100 + 100 * (not _is_exact(term_type)))


class UmlsNames:
    """Reads MRCONSO; then knows which concepts have a name and each vocabulary's language."""

    def __init__(self, options: ImportOptions, ranks: Ranks) -> None:
        self._ranks = ranks
        self._suppressed = options.suppressed
        self._languages = frozenset(map(_asked_language, options.languages))
        self._vocabularies = frozenset(options.vocabularies)
        self._named = bytearray(2 * 10**7)
        self._language_of: dict[str, str | None] = {}

    def has(self, concept: str) -> bool:
        """Whether the concept has a name that was kept."""
        number = concept_number(concept)
        return number is not None and bool(self._named[number])

    def reads(self, vocabulary: str) -> bool:
        """Whether this vocabulary was asked for."""
        if not self._vocabularies:
            return vocabulary != "SRC"
        return vocabulary in self._vocabularies

    def reads_language(self, tag: str | None) -> bool:
        """Whether this language was asked for."""
        return not self._languages or tag in self._languages

    def is_left_out(self, suppress: str) -> bool:
        """Whether a row with this value of SUPPRESS is left out."""
        return suppress in _SUPPRESSED and not self._suppressed

    def language_of(self, vocabulary: str) -> str | None:
        """The language of a vocabulary's names; English for one that has none here."""
        return self._language_of.get(vocabulary, "en")

    def statements(self, table: RrfTable) -> Iterator[Statement]:
        """Labels, synonyms and cross-references, concept by concept; raises BadInput if none."""
        concept, atoms, codes = "", list[_Atom](), dict[str, None]()
        for row in table.rows():
            if row[0] != concept or len(atoms) >= _MOST_ATOMS:
                yield from self._concept(concept, atoms, codes)
                concept, atoms, codes = row[0], [], {}
            self._read(row, table, atoms, codes)
        yield from self._concept(concept, atoms, codes)
        if not any(self._named):
            raise BadInput(self._nothing(table.name))

    def _read(
        self, row: list[str], table: RrfTable, atoms: list[_Atom], codes: dict[str, None]
    ) -> None:
        vocabulary = row[11]
        language = self._language_of.get(vocabulary)
        if language is None:
            language = self._language_of[vocabulary] = language_tag(row[1])
        if concept_number(row[0]) is None:
            table.skip_unknown_concept(row[0])
        elif not (row[14].strip()):
            table.skip("no name")
        elif (
            self.reads(vocabulary)
            and self.reads_language(language_tag(row[1]))
            and not self.is_left_out(row[16])
        ):
            atoms.append(self._atom(row))
            if row[16] not in _SUPPRESSED and (code := _code(vocabulary, row[12], row[13])):
                codes[code] = None

    def _atom(self, row: list[str]) -> _Atom:
        _, tag, status, _, form, _, preferred, _, _, _, _, vocabulary, term_type, _, name = row[:15]
        suppressed = row[16] in _SUPPRESSED
        order = (
            suppressed,
            not (status == "P" and form == "PF" and preferred == "Y"),
            self._ranks.order(vocabulary, term_type),
            status != "P",
            form != "PF",
            name,
        )
        exact = _is_exact(term_type) and not suppressed
        return _Atom(order, language_tag(tag), name.strip(), exact)

    def _concept(
        self, concept: str, atoms: list[_Atom], codes: dict[str, None]
    ) -> Iterator[Statement]:
        number = concept_number(concept)
        if number is None or not atoms:
            return
        node = concept_node(concept)
        # A file that is not sorted names a concept again: its label has been given.
        labelled = set[str | None]() if not self._named[number] else None
        self._named[number] = 1
        for atom in _distinct(atoms):
            literal = Literal(atom.name, language=atom.language)
            if labelled is not None and atom.language not in labelled:
                labelled.add(atom.language)
                yield Statement(node, _LABEL, literal)
            else:
                yield Statement(node, _EXACT if atom.exact else _LOOSE, literal)
        for code in codes:
            yield Statement(node, _XREF, Literal(code))

    def _nothing(self, name: str) -> str:
        asked = []
        if self._languages:
            asked.append(f"the languages {', '.join(sorted(self._languages))}")
        if self._vocabularies:
            asked.append(f"the vocabularies {', '.join(sorted(self._vocabularies))}")
        if not asked:
            return f"{name} holds no name of a concept."
        tags = ", ".join(sorted({tag for tag in self._language_of.values() if tag}))
        there = ", ".join(sorted(self._language_of)[:20]) or "none"
        return f"{name} holds no name for {' and '.join(asked)}. It has {there} ({tags})."


def concept_node(concept: str) -> NamedNode:
    """The node of a concept identifier that `concept_number` knows."""
    return NamedNode(_CONCEPTS + concept)


def language_tag(code: str) -> str | None:
    """The BCP 47 tag of a LAT code (CHI → zh) or of a tag (zh-CN → zh); None for other texts."""
    known = _LANGUAGES.get(code.upper())
    if known:
        return known
    primary = code.lower().partition("-")[0]
    return primary if re.fullmatch(r"[a-z]{2,3}", primary) else None


def _asked_language(code: str) -> str:
    tag = language_tag(code)
    if tag is None:
        raise BadInput(f"{code!r} is no language: give codes such as ENG and CHI, or en and zh.")
    return tag


def _is_exact(term_type: str) -> bool:
    return term_type in _EXACT_TYPES


def _code(vocabulary: str, term_type: str, code: str) -> str | None:
    """The identifier that an atom stands for, or None."""
    codes = _CODES.get(vocabulary)
    if codes is None or term_type not in codes.types or not codes.pattern.fullmatch(code):
        return None
    return canonical(f"{codes.prefix}:{code.removeprefix(codes.prefix + ':')}")


def _distinct(atoms: Sequence[_Atom]) -> Iterator[_Atom]:
    """The names, best first; of those that differ in case only the best, exact if one is."""
    kept: dict[tuple[str | None, str], _Atom] = {}
    for atom in sorted(atoms, key=lambda atom: atom.order):
        key = (atom.language, atom.name.casefold())
        first = kept.setdefault(key, atom)
        if atom.exact and not first.exact:
            kept[key] = first._replace(exact=True)
    return iter(kept.values())
