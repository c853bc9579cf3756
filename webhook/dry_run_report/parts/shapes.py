"""The shape of a verdict as data, declared as typed dictionaries; the exported JSON Schema is derived from them.

Only the schema needs them when it runs, and pydantic describes no others on Python 3.11 than those of typing_extensions.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict


class CauseRecord(TypedDict):
    """An entry of `details.causes`, as kube-apiserver has it."""

    reason: str
    field: str
    message: str


class FindingRecord(TypedDict):
    """One thing that a rule has to say; `page` gives its reason, as a path in the project."""

    rule: str
    severity: Literal["error", "warning", "note"]
    field: str
    message: str
    hint: str
    found: NotRequired[str]
    expected: NotRequired[str]
    nearest: NotRequired[str]
    exempted: NotRequired[str]
    configuration: NotRequired[str]
    page: NotRequired[str]


class ProvenanceRecord(TypedDict):
    """Where one value that the author didn't write came from."""

    field: str
    value: Any
    source: str
    reason: str


class UncheckedRecord(TypedDict):
    """What could not be judged, and why."""

    subject: str
    reason: str


class TodayRecord(TypedDict):
    """The nodes that have room with what runs now; without one, kube-scheduler's text, what is nearest, and what it preempts."""

    feasible: list[str]
    message: NotRequired[str]
    nearest: NotRequired[list[str]]
    preemption: NotRequired[str]
    pod: NotRequired[str]


class PlacementRecord(TypedDict):
    """Where the pods of a workload could run; `message` is kube-scheduler's text, empty where a node fits."""

    feasible: list[str]
    rejected: dict[str, list[str]]
    message: str
    nearest: list[str]
    outlook: Literal["now", "later", "never", "refused"]
    pod: NotRequired[str]
    today: NotRequired[TodayRecord]


class EffectiveValueRecord(TypedDict):
    """One value of an object that the operator creates: which, where in it, who decided, and why."""

    object: str
    field: str
    value: Any
    source: str
    reason: str


class SettingRecord(TypedDict):
    """A setting of the operator, and where it is known from."""

    name: str
    value: Any
    origin: str


class EventRecord(TypedDict):
    """A warning that the operator records as an event."""

    reason: str
    note: str


class TableRecord(TypedDict):
    """How a prediction came about: each row has a text for each column.

    `first` rows answer what was chosen or comes nearest, `rest` says of the others how many they are; both only where a choice was wide.
    """

    title: str
    columns: list[str]
    rows: list[list[str]]
    first: NotRequired[int]
    rest: NotRequired[str]


class MergedRecord(TypedDict):
    """What several configurations come to; the prediction's values of `object` say where each field comes from."""

    title: str
    object: str
    spec: dict[str, Any]


class EffectiveRecord(TypedDict):
    """What the operator will create for the object: its `status`, the objects that it creates, and where their values come from.

    `tables` say what was merged, and what was chosen among which candidates. `merged` is the configuration that applies.
    `unchecked` is what the prediction rests on and isn't known. `failure` is where the operator comes no further, `kept` a failure that is
    over, whose condition stays, and `waits` what the operator waits for before it goes on by itself.
    """

    status: dict[str, Any]
    objects: list[dict[str, Any]]
    values: list[EffectiveValueRecord]
    settings: list[SettingRecord]
    events: list[EventRecord]
    tables: NotRequired[list[TableRecord]]
    merged: NotRequired[MergedRecord]
    unchecked: NotRequired[list[UncheckedRecord]]
    failure: NotRequired[str]
    kept: NotRequired[str]
    waits: NotRequired[str]


class LossRecord(TypedDict):
    """What an installed CRD doesn't check: the field, the keyword (`schema` for all of it), and of a CEL rule its text."""

    field: str
    keyword: str
    rule: NotRequired[str]


class CRDRecord(TypedDict):
    """What the installed CRD lacks of that of `release`: the `count` of checks, which the webhook makes, and the first 20 of them.

    `unknownFields` are the first 20 of the fields that it doesn't know.
    """

    kind: str
    release: str
    count: int
    lacks: list[LossRecord]
    unknownFields: list[str]


class ShortVerdictRecord(TypedDict):
    """The report on one request in short: the verdict and its reasons.

    `neverRuns` is there where none of its pods will ever run, `skipped` (with the reason) where the object is none of ours to judge.
    `bundled` names the release whose bundled CRD findings come from, `source` and `document` are there where it came from a file, `error`
    where it could not be read.
    """

    version: int
    id: str
    allowed: bool
    code: int
    message: str
    findings: list[FindingRecord]
    unchecked: list[UncheckedRecord]
    neverRuns: NotRequired[Literal[True]]
    skipped: NotRequired[str]
    bundled: NotRequired[str]
    source: NotRequired[str]
    document: NotRequired[int]
    error: NotRequired[str]


class VerdictRecord(ShortVerdictRecord):
    """The whole report on one request.

    `celCost` is what the CRD's rules spent, in the API server's units; `placement` is of what makes pods, where nodes are known;
    `effective` is of kinds whose operator's work is predicted; `crd` is there where the installed CRD lacks checks.
    """

    causes: list[CauseRecord]
    warnings: list[str]
    patch: list[dict[str, Any]]
    provenance: list[ProvenanceRecord]
    object: Any
    celCost: int
    placement: NotRequired[PlacementRecord]
    effective: NotRequired[EffectiveRecord]
    crd: NotRequired[CRDRecord]
