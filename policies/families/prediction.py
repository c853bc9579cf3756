"""The prediction for an object: the objects that its operator creates, where each value comes from, and the operator's words if it fails.

`predict` of a family returns this before anything is stored; `dry-run` shows it under `effective`, and rules call the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar, overload

from weighbridge.policies.ground.findings import Provenance, Reported, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, JSONValue, field, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class Setting(Reported):
    """A setting of the operator with its origin: ``upstream default``, ``configuration`` or ``Deployment namespace/name``."""

    name: str
    value: JSONValue
    origin: str


class PredictedValue(NamedTuple):
    """One value of an object that the operator creates. It is a cheap tuple: a service has dozens, and the webhook reads none.

    `object` names that object (``Deployment/svc``), `field` the place in it as Kubernetes prints paths. `source` says where it comes from:
    ``Model m spec.hardware.gpu.count``, ``InferenceService svc spec.image``, ``operator --runtime-images (configuration)``, ``LLMKube
    v0.9.19``; `reason` says why that one.
    """

    object: str
    field: str
    value: JSONValue
    source: str
    reason: str

    def as_json(self) -> JSONObject:
        """The value as it is in reports."""
        return self._asdict()


_T = TypeVar("_T")


class Deferred(Sequence[_T]):
    """Values or objects that are worked out on demand. The webhook never asks for the values, nor for objects without pods.

    `count` is how many there are, if that is known beforehand.
    """

    def __init__(self, work_out: Callable[[], Iterable[_T]], count: int | None = None) -> None:
        self._work_out = work_out
        self._count = count

    @cached_property
    def _values(self) -> tuple[_T, ...]:
        return tuple(self._work_out())

    @overload
    def __getitem__(self, index: int) -> _T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[_T, ...]: ...
    def __getitem__(self, index: int | slice) -> _T | tuple[_T, ...]:
        return self._values[index]

    def __len__(self) -> int:
        return len(self._values) if self._count is None else self._count

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._values == tuple(other)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Event(Reported):
    """A warning that the operator will write as an event on the object."""

    reason: str
    note: str


@dataclass(frozen=True, slots=True)
class Table(Reported):
    """A table that explains a prediction: each row has a text for each column. `dry-run` prints it below the verdict.

    `first` are the rows that were chosen, or that come nearest. `rest` says how many others there are, which are shown on demand. Without
    a `rest` all rows are equally important.
    """

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    first: int = 0
    rest: str = ""


#: All rows are shown if there are no more than these.
_FEW = 4
#: How many rows are shown if none was chosen.
_NEAREST = 3


def choice_table(title: str, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]], chosen: int, also: int = 0) -> Table:
    """A table of candidates, the best first: the first `chosen` rows were chosen, and the next `also` rows would fit too."""
    if len(rows) <= _FEW:
        return Table(title, columns, rows)
    left = len(rows) - chosen - also
    if not chosen:
        return Table(title, columns, rows, _NEAREST, f"of {len(rows)}; none of them fits")
    fits = f"{also} fit{'s' if also == 1 else ''} as well, " if also else ""
    return Table(title, columns, rows, chosen, f"of {len(rows)}; {fits}{left} do{'es' if left == 1 else ''}n't fit")


@dataclass(frozen=True, slots=True)
class Merged(Reported):
    """The result of merging several configurations. `Prediction.values` has the origin of each field, under the name `object`."""

    title: str
    object: str
    spec: JSONObject


@dataclass(frozen=True, slots=True)
class Prediction:
    """The prediction for one object.

    `objects` are the created objects, as whole manifests. `placed` are the objects whose pods are placed, if these differ from `objects`;
    `together` those that are placed together, if some nodes that aren't ready for them yet will be.
    `status` is the object's status, without what depends on running pods. `failure` is the operator's message if it fails, else empty.
    `weight` is the severity of the failure: an error if only a change of the manifest mends it. `kept` is an earlier failure that is over,
    but whose condition stays until the object is ready. `waits` says what the operator waits for before it goes on by itself, such as the
    results of an agent or of a discovery job. `tables` explain the prediction: what was merged, and what was chosen among which candidates.
    They are built on demand. `merged` is the merged configuration, `None` if none applies. `unchecked` names facts that the prediction
    needs and that aren't known.
    """

    status: JSONObject
    objects: Sequence[JSONObject] = ()
    values: Sequence[PredictedValue] = ()
    settings: Sequence[Setting] = ()
    events: Sequence[Event] = ()
    failure: str = ""
    weight: Severity = Severity.WARNING
    kept: str = ""
    waits: str = ""
    unchecked: Sequence[Unchecked] = ()
    tables: Callable[[], Sequence[Table]] = tuple
    merged: Callable[[], Merged | None] = lambda: None
    placed: Callable[[], Sequence[JSONObject]] | None = None
    together: Callable[[], Sequence[JSONObject]] | None = None

    def as_json(self, filled: Iterable[Provenance] = ()) -> JSONObject:
        """The prediction as it is in reports; `filled` are the values of the object that were filled in."""
        out: JSONObject = {"status": self.status, "objects": list(self.objects)}
        origins = [(_field_of(entry), entry) for entry in filled]
        out["values"] = [_with_origin(value, origins).as_json() for value in self.values]
        out["settings"] = [setting.as_json() for setting in self.settings]
        out["events"] = [event.as_json() for event in self.events]
        if tables := self.tables():
            out["tables"] = [table.as_json() for table in tables]
        if (merged := self.merged()) is not None:
            out["merged"] = merged.as_json()
        if self.unchecked:
            out["unchecked"] = [entry.as_json() for entry in self.unchecked]
        told = (("failure", self.failure), ("kept", self.kept), ("waits", self.waits))
        return out | {key: text for key, text in told if text}


def condition(kind: str, value: str, reason: str, message: str) -> JSONObject:
    """A condition of the status, without its times."""
    return {"type": kind, "status": value, "reason": reason, "message": message}


def created(obj: JSONValue, prediction: Prediction | None, placed: Sequence[JSONObject]) -> list[JSONObject]:
    """An object and all objects that are created for it, each once."""
    found = [obj, *(prediction.objects if prediction is not None else ()), *placed]
    named = {(one.get("apiVersion"), one.get("kind"), namespace_of(one), name_of(one)): one for one in found if isinstance(one, dict)}
    return list(named.values())


def _field_of(filled: Provenance) -> str:
    """The filled-in field; for an item of a list, the list."""
    path = filled.path[:-1] if filled.path and isinstance(filled.path[-1], int) else filled.path
    return field(path)


def _with_origin(value: PredictedValue, origins: Sequence[tuple[str, Provenance]]) -> PredictedValue:
    """The value; if it comes from a filled-in field of the object, with the source of that."""
    for name, entry in origins:
        if value.source.endswith(f" {name}") and (isinstance(entry.path[-1], str) or entry.value == value.value):
            return value._replace(source=f"{value.source}, filled in", reason=f"{entry.source}: {entry.reason}")
    return value
