"""A row's values: made from its cells by the steps that a mapping lists, one or several each.

A template that names a value of several texts is filled in once for each of them; two values
made from the same third keep together, as they follow its texts one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kg.errors import BadInput
from kg.sources.statements import Skipped
from kg.sources.tables.axioms import fillers
from kg.sources.tables.specs import Condition, Input, ValueSpec
from kg.sources.tables.templates import OWN, Getter, Template

__all__ = ["Place", "Row", "Scope", "Step", "bindings"]

# A row's cells, then a place for each value, then one for the text that a step works on.
Row = list[str]
_Stage = Callable[[str, Row], Iterable[str]]


@dataclass(slots=True)
class Place:
    """Where reading is; problems of one row are counted once for each thing they concern."""

    label: str
    skipped: Skipped
    line: int = 0
    _seen: set[str] = field(default_factory=set)

    def at(self, line: int) -> None:
        """Go on to the row of this line."""
        self.line = line
        if self._seen:
            self._seen.clear()

    def report(self, concern: str, problem: str) -> None:
        """Count a problem of this row."""
        if concern not in self._seen:
            self._seen.add(concern)
            self.skipped.add(f"{self.label}, line {self.line}: {problem}")


@dataclass(frozen=True, slots=True)
class Step:
    """Fills the slot of one value with each of its texts."""

    slot: int
    texts: Callable[[Row], Sequence[str]]


MOST_BINDINGS = 100_000


def bindings(steps: Sequence[Step], row: Row) -> Iterator[None]:
    """Fill the row's slots in every possible way, one after the other.

    Raises BadInput where lists in several columns would make more than MOST_BINDINGS.
    """
    for number, _ in enumerate(_bindings(steps, row, 0), start=1):
        if number > MOST_BINDINGS:
            raise BadInput(
                f"One row makes more than {MOST_BINDINGS:,} combinations of its lists of texts: "
                "use fewer columns of lists in one fact or entity of the mapping."
            )
        yield


def _bindings(steps: Sequence[Step], row: Row, first: int) -> Iterator[None]:
    if first == len(steps):
        yield
        return
    step = steps[first]
    for text in step.texts(row):
        row[step.slot] = text
        yield from _bindings(steps, row, first + 1)


class Scope:
    """What the templates of one table can name: its columns and values.

    Raises BadInput where the mapping names what is not there.
    """

    def __init__(
        self,
        read: Input,
        columns: Sequence[str],
        lookups: Mapping[str, Callable[[str], Sequence[str]]],
        place: Place,
    ) -> None:
        self._input = read
        absent = (name for name in read.optional_columns if name not in columns)
        self._columns = columns = (*columns, *absent)
        self._place = place
        self._slots = {name: slot for slot, name in enumerate(columns) if name}
        self._width = len(columns) + len(read.values) + 1
        self._steps: dict[str, Step] = {}
        self._needs: dict[str, tuple[str, ...]] = {}
        for slot, value in enumerate(read.values, start=len(columns)):
            self._add(value, slot, lookups)
        self._conditions = [self._condition(one) for one in read.conditions]

    def row(self, cells: Sequence[str]) -> Row | None:
        """A row with empty slots; None when a condition does not hold."""
        row = [cell.strip() for cell in cells]
        row += [""] * (self._width - len(row))
        return row if all(condition(row) for condition in self._conditions) else None

    def getter(self, template: Template, *, own: bool = False) -> Getter:
        """The function that fills in a template from a row whose slots are filled."""
        for name in template.names:
            if not (own and name == OWN):
                self._check(name)
        slots = {**self._slots, OWN: self._width - 1} if own else self._slots
        return template.getter(slots)

    def steps(self, templates: Iterable[Template], filled: Sequence[Step] = ()) -> tuple[Step, ...]:
        """The values that these templates need and that are not filled yet, in their order."""
        wanted: set[str] = set()
        waiting = [name for template in templates for name in template.names]
        while waiting:
            name = waiting.pop()
            if name in self._steps and name not in wanted:
                wanted.add(name)
                waiting += self._needs[name]
        steps = (self._steps[name] for name in self._steps if name in wanted)
        return tuple(step for step in steps if step not in filled)

    def reading(
        self, template: Template, filled: Sequence[Step] = ()
    ) -> Callable[[Row], list[str]]:
        """The function that fills in a template in every way that its values allow."""
        get, steps = self.getter(template), self.steps([template], filled)
        if not steps:
            return lambda row: [text] if (text := get(row)) else []
        return lambda row: [text for _ in bindings(steps, row) if (text := get(row))]

    def _check(self, name: str) -> None:
        if name not in self._slots:
            named = ", ".join(repr(column) for column in self._columns[:30])
            raise BadInput(
                f"{self._place.label} has no column {name!r} ({self._input.place}); its columns: "
                f"{named}."
            )
        if self._columns.count(name) > 1:
            raise BadInput(
                f"{self._place.label} has two columns {name!r}: name them by 'columns' and 'skip'."
            )

    def _add(
        self, value: ValueSpec, slot: int, lookups: Mapping[str, Callable[[str], Sequence[str]]]
    ) -> None:
        if value.name in self._slots:
            raise BadInput(
                f"{self._input.place}: value {value.name!r} is called like a column of "
                f"{self._place.label}; call it something else."
            )
        stages = list(self._stages(value, lookups))
        get = self.getter(value.source)
        needs = value.names
        self._slots[value.name] = slot
        self._needs[value.name] = needs

        def texts(row: Row) -> Sequence[str]:
            text = get(row)
            if not text:
                return ()
            found: Sequence[str] = (text,)
            for stage in stages:
                found = [made for one in found for made in stage(one, row) if made]
            return found

        self._steps[value.name] = Step(slot, texts)

    def _stages(
        self, value: ValueSpec, lookups: Mapping[str, Callable[[str], Sequence[str]]]
    ) -> Iterator[_Stage]:
        if value.split is not None:
            yield _splitting(value.split)
        if value.axiom is not None:
            yield self._axiom(value.name, value.axiom)
        if value.pattern is not None:
            pattern = value.pattern
            yield lambda text, row: _matched(pattern.search(text))
        if value.replace:
            yield lambda text, row: (_replaced(text, value),)
        if value.map is not None:
            entries = {key: (text,) for key, text in value.map.items()}
            yield self._known(value, lambda text: entries.get(text, ()))
        if value.lookup is not None:
            yield self._known(value, lookups[value.lookup])
        if value.format is not None:
            yield self._filled(self.getter(value.format, own=True))

    def _known(self, value: ValueSpec, find: Callable[[str], Sequence[str]]) -> _Stage:
        """What a map or a lookup gives; what it does not know is reported, or filled in."""
        otherwise = self.getter(value.otherwise, own=True) if value.otherwise else None
        fill = self._filled(otherwise) if otherwise else None
        place, name, where = (
            self._place,
            value.name,
            f"lookup {value.lookup}" if value.lookup else "the map",
        )

        def stage(text: str, row: Row) -> Iterable[str]:
            found = find(text)
            if found:
                return found
            if fill is not None:
                return fill(text, row)
            place.report(name, f"{text!r} is not in {where} (value {name!r})")
            return ()

        return stage

    def _filled(self, get: Getter) -> _Stage:
        slot = self._width - 1

        def stage(text: str, row: Row) -> Iterable[str]:
            row[slot] = text
            return (get(row),)

        return stage

    def _axiom(self, name: str, relation: str) -> _Stage:
        place = self._place

        def stage(text: str, row: Row) -> Iterable[str]:
            found = fillers(text, relation)
            if found is None:
                place.report(name, f"no class expression: {text}")
                return ()
            return found

        return stage

    def _condition(self, condition: Condition) -> Callable[[Row], bool]:
        holds = condition.holds
        if condition.name not in self._steps:
            self._check(condition.name)
            slot = self._slots[condition.name]
            return lambda row: holds(row[slot])
        reading = self.reading(Template.column(condition.name))
        return lambda row: any(holds(text) for text in reading(row) or [""])


def _splitting(separator: str) -> _Stage:
    return lambda text, row: [part.strip() for part in text.split(separator)]


def _matched(match: re.Match[str] | None) -> tuple[str, ...]:
    """The first group of a match, all of it where there is no group."""
    if match is None:
        return ()
    return ((match.group(1) if match.re.groups else match.group()) or "",)


def _replaced(text: str, value: ValueSpec) -> str:
    for pattern, replacement in value.replace:
        text = pattern.sub(replacement, text)
    return text.strip()
