"""The basic types: JSON values, group-version-kinds, operations, field paths.

A Kubernetes object is a plain ``dict`` as it came from JSON; numbers keep the kinds that Go's decoder gives them (``int`` for what
fits 64 bits signed, ``float`` for the rest). Names follow the Kubernetes API: https://kubernetes.io/docs/reference/using-api/.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, TypeAlias

from weighbridge.policies.ground.memory import LONGEST
from weighbridge.policies.ground.records import dataclass

#: A value as JSON has it. `Any` on purpose: objects come from outside and every reader checks what it touches.
JSONValue: TypeAlias = Any
JSONObject: TypeAlias = dict[str, Any]

#: One step into an object: a key of a map or an index of a list.
PathStep: TypeAlias = str | int
#: The steps from an object's root to a value.
Path: TypeAlias = tuple[PathStep, ...]


class Operation(StrEnum):
    """The operations of ``admission.k8s.io/v1`` that change an object."""

    CREATE = "CREATE"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    CONNECT = "CONNECT"


class FieldValidation(StrEnum):
    """What the API server does with unknown and duplicate fields (``fieldValidation`` of the request's options)."""

    STRICT = "Strict"
    WARN = "Warn"
    IGNORE = "Ignore"


@dataclass(frozen=True, slots=True)
class GroupVersionKind:
    """Group, version and kind of an object; the core group is the empty string."""

    group: str
    version: str
    kind: str

    @property
    def api_version(self) -> str:
        """The text of ``apiVersion``."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def __str__(self) -> str:
        return f"{self.api_version} {self.kind}"

    @classmethod
    def from_object(cls, obj: JSONValue) -> GroupVersionKind | None:
        """Read apiVersion and kind of an object; `None` if either is missing, empty or not a string. `/v1` is `v1`, as Go reads it."""
        if not isinstance(obj, dict):
            return None
        api_version, kind = obj.get("apiVersion"), obj.get("kind")
        if not (isinstance(api_version, str) and isinstance(kind, str) and api_version and kind):
            return None
        return _known(api_version, kind) if len(api_version) + len(kind) <= LONGEST else _read(api_version, kind)


def _read(api_version: str, kind: str) -> GroupVersionKind | None:
    group, slash, version = api_version.rpartition("/")
    return None if slash and not version else GroupVersionKind(group, version, kind)


@lru_cache(maxsize=1024)
def _known(api_version: str, kind: str) -> GroupVersionKind | None:
    """The same, remembered: there are few kinds, and the kind of an object is read many times."""
    return _read(api_version, kind)


@dataclass(frozen=True, slots=True)
class GroupVersionResource:
    """Group, version and plural under which an API server serves objects."""

    group: str
    version: str
    resource: str


def metadata_of(obj: JSONValue) -> JSONObject:
    """The object's metadata, or an empty map if it is missing or not a map."""
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    return metadata if isinstance(metadata, dict) else {}


def name_of(obj: JSONValue) -> str:
    """metadata.name, or the empty string (an object that is to be named by `generateName` has none)."""
    # One of the functions that are called most often, so it calls no other.
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return name if isinstance(name, str) else ""


def namespace_of(obj: JSONValue) -> str:
    """metadata.namespace, or the empty string."""
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    namespace = metadata.get("namespace") if isinstance(metadata, dict) else None
    return namespace if isinstance(namespace, str) else ""


#: Fields of metadata that the server writes and no author does. kubectl shows them for a stored object.
SERVERS_OWN: Final = frozenset({
    "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "generation", "managedFields", "resourceVersion", "selfLink",
    "uid",
})  # fmt: skip


def is_stored(obj: JSONValue) -> bool:
    """Whether an API server has stored the object; if so, it has written the time of creation."""
    metadata = metadata_of(obj)
    return "uid" in metadata or "creationTimestamp" in metadata


def lookup(obj: JSONValue, path: Iterable[PathStep], default: JSONValue = None) -> JSONValue:
    """The value at `path`, or `default` as soon as a step isn't there.

    >>> lookup({"spec": {"ports": [{"port": 80}]}}, ("spec", "ports", 0, "port"))
    80
    """
    value = obj
    for step in path:
        if isinstance(step, str):
            if not isinstance(value, dict) or step not in value:
                return default
        elif not isinstance(value, list) or not -len(value) <= step < len(value):
            return default
        value = value[step]
    return value


def written(obj: JSONValue, path: Path) -> Path:
    """The start of a path, as far as the object has it."""
    for length, step in enumerate(path):
        here = lookup(obj, path[:length])
        if not (step in here if isinstance(here, dict) else isinstance(here, list) and isinstance(step, int) and step < len(here)):
            return path[:length]
    return path


def field(path: Sequence[PathStep]) -> str:
    """A path as Kubernetes prints it.

    >>> field(("spec", "targetModels", 0, "weight"))
    'spec.targetModels[0].weight'
    """
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def pointer(path: Iterable[PathStep]) -> str:
    """A path as a JSON Pointer (RFC 6901).

    >>> pointer(("metadata", "annotations", "example.com/team"))
    '/metadata/annotations/example.com~1team'
    """
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def walk(value: JSONValue, path: Path = ()) -> Iterator[tuple[Path, JSONValue]]:
    """Every value of an object with its path, parents before children."""
    stack: list[tuple[Path, JSONValue]] = [(path, value)]
    while stack:
        where, current = stack.pop()
        yield where, current
        if isinstance(current, dict):
            stack.extend(((*where, key), current[key]) for key in reversed(current))
        elif isinstance(current, list):
            stack.extend(((*where, index), current[index]) for index in range(len(current) - 1, -1, -1))
