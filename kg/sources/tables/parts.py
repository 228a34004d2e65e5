"""Parts of a mapping from its TOML: templates, values, conditions, inputs, facts and entities."""

from __future__ import annotations

import re
from collections.abc import Callable

from pyoxigraph import Literal

from kg.sources.tables.rows import JSON_COLUMNS, Layout
from kg.sources.tables.section import Section
from kg.sources.tables.specs import Condition, EntitySpec, FactSpec, Input, Texts, ValueSpec
from kg.sources.tables.templates import OWN, Template, TemplateError

__all__ = [
    "check_language",
    "entity_spec",
    "fact_spec",
    "pattern_of",
    "read_input",
    "required_template",
]

_DELIMITERS = {"tab": "\t", "comma": ",", "semicolon": ";", "bar": "|"}


def _template(section: Section, text: str, *, own: bool = False) -> Template:
    try:
        template = Template.of(text)
    except TemplateError as error:
        raise section.wrong(str(error)) from error
    if OWN in template.names and not own:
        raise section.wrong(f"{text!r} names no column between its braces")
    return template


def _optional_template(section: Section, key: str, *, own: bool = False) -> Template | None:
    text = section.text(key)
    return None if text is None else _template(section, text, own=own)


def required_template(section: Section, key: str) -> Template:
    """The template under a key that must be there."""
    return _template(section, section.required(key))


def _templates(section: Section, key: str) -> tuple[Template, ...]:
    return tuple(_template(section, text) for text in section.texts(key))


def _texts(section: Section, key: str) -> Texts:
    """`key = "…"`, a list of such, or either by language: `key = { en = "…", zh = "…" }`."""
    value = section.anything(key)
    if value is None:
        return ()
    if not isinstance(value, dict):
        return tuple((None, one) for one in _templates(Section({key: value}, section.place), key))
    inner = Section(value, f"{section.place}, {key}")
    found: list[tuple[str | None, Template]] = []
    for language in value:
        check_language(inner, language)
        found += [(language, one) for one in _templates(inner, language)]
    return tuple(found)


def check_language(section: Section, language: str) -> None:
    """Raise BadInput where this is no language tag (BCP 47)."""
    try:
        Literal("", language=language)
    except ValueError as error:
        raise section.wrong(f"{language!r} is no language tag such as 'en' or 'zh'") from error


def pattern_of(section: Section, key: str) -> re.Pattern[str] | None:
    """A regular expression."""
    text = section.text(key)
    return None if text is None else _compiled(section, text)


def _compiled(section: Section, text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise section.wrong(f"{text!r} is no regular expression: {error}") from error


def read_input(section: Section) -> Input:
    """Files, layout, conditions and values of a table or a lookup."""
    return Input(
        section.place,
        tuple(pattern.lower().removesuffix(".gz") for pattern in section.texts("files")),
        _layout(section),
        section.flag("optional"),
        section.texts("optional_columns"),
        tuple(_condition(name, test, section) for name, test in section.section("where").pairs()),
        tuple(_value(name, one) for name, one in section.section("value").named()),
    )


def _layout(section: Section) -> Layout:
    delimiter, columns = section.text("delimiter"), section.texts("columns")
    comment, skip = section.text("comment"), section.number("skip")
    quoted, kind = section.flag("quote", True), section.text("format")
    delimiter = _DELIMITERS.get(delimiter, delimiter) if delimiter else delimiter
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0 '):
        raise section.wrong(f"'delimiter' must be one character or one of {', '.join(_DELIMITERS)}")
    if comment is not None and not comment.strip():
        raise section.wrong("'comment' must say how a comment line begins, such as '#'")
    if kind not in (None, "table", "json"):
        raise section.wrong("'format' must be 'table' or 'json'")
    if len(set(columns)) != len(columns):
        raise section.wrong("'columns' names a column twice")
    if kind == "json" and columns:
        raise section.wrong(f"JSON has the columns {', '.join(JSON_COLUMNS)}; leave out 'columns'")
    return Layout(delimiter, columns, comment, skip, quoted, kind == "json")


def _condition(name: str, test: object, section: Section) -> Condition:
    return Condition(name, _test(Section({name: test}, f"{section.place}, where"), name))


def _test(section: Section, name: str) -> Callable[[str], bool]:
    """Equal to a text or to one of several, `{ matches = "…" }`, or `{ not = … }` of these."""
    value = section.anything(name)
    if not isinstance(value, dict):
        allowed = frozenset(Section({name: value}, section.place).texts(name))
        return lambda text: text in allowed
    inner = Section(value, f"{section.place} {name!r}")
    pattern = pattern_of(inner, "matches")
    is_denied = inner.anything("not") is not None
    inner.finish()
    if is_denied == (pattern is not None):
        raise inner.wrong("needs either 'matches' or 'not'")
    if pattern is not None:
        return lambda text: pattern.fullmatch(text) is not None
    test = _test(Section(value, inner.place), "not")
    return lambda text: not test(text)


def _value(name: str, section: Section) -> ValueSpec:
    column, text = section.text("column"), section.text("text")
    if (column is None) == (text is None):
        raise section.wrong("needs either 'column' or 'text'")
    source = Template.column(column) if column is not None else _template(section, text or "")
    entries = section.anything("map")
    spec = ValueSpec(
        name,
        source,
        section.text("split"),
        section.text("axiom"),
        pattern_of(section, "pattern"),
        _replacements(section),
        None if entries is None else Section(entries, f"{section.place}, map").entries(),
        section.text("lookup"),
        _optional_template(section, "otherwise", own=True),
        _optional_template(section, "format", own=True),
    )
    if spec.split == "":
        raise section.wrong("'split' must say what stands between the parts")
    if spec.map is not None and spec.lookup is not None:
        raise section.wrong("has both 'map' and 'lookup': make two values")
    if spec.otherwise and spec.map is None and spec.lookup is None:
        raise section.wrong("has 'otherwise' but neither 'map' nor 'lookup'")
    section.finish()
    return spec


def _replacements(section: Section) -> tuple[tuple[re.Pattern[str], str], ...]:
    value = section.anything("replace")
    if value is None:
        return ()
    if not isinstance(value, list):
        raise section.wrong("'replace' must be a list of [pattern, replacement]")
    found = []
    for pair in value:
        match pair:
            case [str(pattern), str(replacement)]:
                compiled = _compiled(section, pattern)
            case _:
                raise section.wrong("'replace' must be a list of [pattern, replacement]")
        try:
            compiled.sub(replacement, "")
        except (re.error, IndexError) as error:
            raise section.wrong(f"{replacement!r} is no replacement: {error}") from error
        found.append((compiled, replacement))
    return tuple(found)


def fact_spec(section: Section) -> FactSpec:
    """[[table.fact]]"""
    spec = FactSpec(
        section.place,
        required_template(section, "subject"),
        required_template(section, "relation"),
        _optional_template(section, "object"),
        _texts(section, "text"),
        _templates(section, "reference"),
        tuple(
            (name, _template(section, text))
            for name, text in section.section("qualifier").entries().items()
        ),
        _optional_template(section, "aspect"),
    )
    section.finish()
    if bool(spec.object) == bool(spec.texts):
        raise section.wrong("needs either 'object' or 'text'")
    return spec


def entity_spec(section: Section) -> EntitySpec:
    """[[table.entity]], and [[entity]] for what no file says."""
    spec = EntitySpec(
        section.place,
        required_template(section, "id"),
        _templates(section, "type"),
        _texts(section, "label"),
        _texts(section, "synonym"),
        _texts(section, "loose_synonym"),
        _texts(section, "description"),
        _templates(section, "identifier"),
        _templates(section, "same_as"),
    )
    section.finish()
    return spec
