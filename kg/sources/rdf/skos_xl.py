"""SKOS-XL: labels that are nodes of their own, put back to plain SKOS labels.

What else is said of such a node (a date, a source of the label) is kept as it stands, and so is
a label whose node is not described in the same file.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import BlankNode, Literal, NamedNode

from kg.sources.statements import Statement
from kg.sources.vocabulary import RDF_TYPE, SKOS

__all__ = ["LabelNodes"]

_XL = "http://www.w3.org/2008/05/skos-xl#"
_FORM, _CLASS = _XL + "literalForm", _XL + "Label"
_PLAIN = {_XL + name: NamedNode(SKOS + name) for name in ("prefLabel", "altLabel", "hiddenLabel")}

Node = NamedNode | BlankNode


class LabelNodes:
    """Takes the statements of one file that make a label of a node, and gives plain ones."""

    MARKER = b"skos-xl"  # occurs in every file that has any

    def __init__(self) -> None:
        self._uses: list[tuple[Node, NamedNode, Node]] = []
        self._forms: dict[Node, list[Literal]] = {}

    def take(self, subject: Node, predicate: NamedNode, value: Node | Literal) -> bool:
        """Whether the statement is one of those, which is then kept here."""
        relation = predicate.value
        if relation == RDF_TYPE:
            return isinstance(value, NamedNode) and value.value == _CLASS
        if not relation.startswith(_XL):
            return False
        if relation == _FORM and isinstance(value, Literal):
            self._forms.setdefault(subject, []).append(value)
            return True
        if relation not in _PLAIN or isinstance(value, Literal):
            return False
        self._uses.append((subject, predicate, value))
        return True

    def statements(self) -> Iterator[Statement]:
        """The labels as literals of what carries them."""
        for subject, relation, node in self._uses:
            for form in self._forms.get(node, ()):
                yield Statement(subject, _PLAIN[relation.value], form)
            if node not in self._forms:
                yield Statement(subject, relation, node)
