"""Reads cases, a folder each: `object.yaml` has the object of the request, and `expect.yaml` begins with a sentence in a comment.

A case may have `old.yaml` with the object that is replaced, `config.yaml` with its configuration, and `cluster.yaml` with the objects of
the cluster or one snapshot. Objects of the cluster may also follow the object in `object.yaml`. Any other file or key is a mistake, since
nothing would check it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from weighbridge.policies.facts.document import Extent
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.spelling import close_matches
from weighbridge.webhook.inputs.cluster_files import read_cluster
from weighbridge.webhook.manifests import ABSENT, DEFAULT_MAX_BYTES, Document, documents
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import as_text

OBJECT: Final = "object.yaml"
EXPECT: Final = "expect.yaml"
OLD: Final = "old.yaml"
CONFIG: Final = "config.yaml"
CLUSTER: Final = "cluster.yaml"
FILES: Final = (CLUSTER, CONFIG, EXPECT, OBJECT, OLD)
#: The keys of expectations, with the type of each.
KEYS: Final[Mapping[str, type]] = {
    "allowed": bool,
    "findings": list,
    "notes": list,
    "unchecked": list,
    "code": int,
    "message": str,
    "causes": list,
    "warnings": list,
    "patch": list,
    "nearest": list,
    "object": dict,
    "fieldValidation": str,
    "moment": str,
}
_TYPES: Final = {bool: "true or false", list: "a list", int: "a number", str: "a text", dict: "a map"}


@dataclass(frozen=True, slots=True)
class Case:
    """One case. `name` is its folder as it is shown; `config` is the path of its own configuration, empty if it has none."""

    folder: str
    name: str
    sentence: str
    object: JSONObject
    old: JSONObject | None
    objects: Sequence[JSONObject]
    extent: Extent
    config: str
    expect: JSONObject

    @property
    def field_validation(self) -> FieldValidation:
        """Strict, as kubectl sends it, unless the case says otherwise."""
        return FieldValidation(self.expect.get("fieldValidation", "Strict"))

    @property
    def moment(self) -> datetime | None:
        """The time at which it is judged, if the case says so."""
        return datetime.fromisoformat(self.expect["moment"]) if "moment" in self.expect else None

    @property
    def gvk(self) -> GroupVersionKind:
        """The kind of its object."""
        found = GroupVersionKind.from_object(self.object)
        assert found is not None  # noqa: S101 - checked when it was read
        return found


def case_folders(paths: Iterable[str]) -> list[str]:
    """The folders of cases at and below some folders, sorted. Raises InputError."""
    found: list[str] = []
    for path in paths:
        if not os.path.isdir(path):
            raise InputError(f"{as_text(path)}: isn't a folder; give a folder with cases, each a folder with {EXPECT}")
        below = [folder for folder, _, files in os.walk(path, onerror=_refuse) if EXPECT in files or OBJECT in files]
        if not below:
            raise InputError(f"{as_text(path)}: no case in this folder; weighbridge test --init OBJECT {as_text(path)} writes a first one")
        found += below
    return sorted(dict.fromkeys(map(os.path.normpath, found)))


def _refuse(error: OSError) -> None:
    raise InputError(f"{as_text(error.filename)}: can't be read ({error.strerror}); let this user read it") from error


def read_case(folder: str) -> Case:
    """Read one case. Raises InputError."""
    # A folder or a broken link with the name of such a file is read, too, which says what is wrong with it.
    names = sorted(
        entry.name for entry in os.scandir(folder) if entry.name in FILES or (entry.is_file() and not entry.name.startswith("."))
    )
    for name in names:
        if name not in FILES:
            raise InputError(f"{as_text(os.path.join(folder, name))}: isn't a file of a case; {_would_do(name, FILES)}")
    for name in (OBJECT, EXPECT):
        if name not in names:
            raise InputError(f"{as_text(os.path.join(folder, name))}: missing; a case has {OBJECT} and {EXPECT}")
    sentence, expect = _expectation(os.path.join(folder, EXPECT))
    first, *others = _objects(os.path.join(folder, OBJECT))
    if others and CLUSTER in names:
        raise InputError(f"{as_text(os.path.join(folder, OBJECT))}: more than one document; the cluster's objects are here or in {CLUSTER}")
    objects, extent = read_cluster([os.path.join(folder, CLUSTER)]) if CLUSTER in names else (others, Extent())
    old = _objects(os.path.join(folder, OLD))[0] if OLD in names else None
    config = os.path.join(folder, CONFIG) if CONFIG in names else ""
    return Case(folder, as_text(folder), sentence, first, old, objects, extent, config, expect)


def _expectation(path: str) -> tuple[str, JSONObject]:
    data = _data(path)
    name = as_text(path)
    first = data.split(b"\n", 1)[0].decode(errors="replace").strip()
    if not first.startswith("# ") or not first[2:].strip():
        raise InputError(f"{name}:1: no sentence; begin with a comment that says what the case shows")
    document = next((one for one in _documents(path, data) if one.value is not None), None)
    expect: JSONValue = {} if document is None else document.value
    if document is None or not isinstance(expect, dict):
        raise InputError(f"{name}: allowed: missing; write true or false")
    for key, value in expect.items():
        place = f"{name}:{document.key_position((key,)).line}: {key}"
        if key not in KEYS:
            raise InputError(f"{place}: unknown key; {_would_do(key, tuple(KEYS))}")
        if value.__class__ is not KEYS[key]:
            raise InputError(f"{place}: {_TYPES[KEYS[key]]} is needed")
    if "allowed" not in expect:
        raise InputError(f"{name}: allowed: missing; write true or false")
    _check_inputs(expect, name, document)
    return first[2:].strip(), expect


def _check_inputs(expect: JSONObject, name: str, document: Document) -> None:
    values = [str(value) for value in FieldValidation]
    if expect.get("fieldValidation", values[0]) not in values:
        place = f"{name}:{document.position(('fieldValidation',)).line}"
        raise InputError(f"{place}: fieldValidation: write one of {', '.join(values)}")
    if "moment" in expect:
        place = f"{name}:{document.position(('moment',)).line}"
        try:
            moment = datetime.fromisoformat(expect["moment"])
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo is None:
            said = f"{expect['moment'][:64]!r} isn't a time with its zone; write one such as 2026-12-31T18:00:00Z"
            raise InputError(f"{place}: moment: {said}")


def _objects(path: str) -> list[JSONObject]:
    """The objects of a file, of which there is at least one."""
    found = []
    for document in _documents(path, _data(path)):
        if document.value is None:
            continue
        if GroupVersionKind.from_object(document.value) is None:
            raise InputError(f"{document.source}:{document.position().line}: no Kubernetes object; write apiVersion and kind")
        found.append(document.value)
    if not found:
        raise InputError(f"{as_text(path)}: empty; write an object")
    return found


def _documents(path: str, data: bytes) -> Iterator[Document]:
    for document in documents(as_text(path), data):
        if document.value is ABSENT:
            raise InputError(str(document.errors[0]))
        yield document


def _data(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            data = stream.read(DEFAULT_MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{as_text(path)}: {(error.strerror or str(error)).lower()}") from None
    if len(data) > DEFAULT_MAX_BYTES:
        raise InputError(f"{as_text(path)}: larger than {DEFAULT_MAX_BYTES} bytes")
    return data


def _would_do(word: str, known: Sequence[str]) -> str:
    near = close_matches(word, known, n=1)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
