"""The shape of a verdict as data, declared as typed dictionaries; the exported JSON Schema is derived from them.

At run time only the schema export needs them. On Python 3.11, pydantic can describe typed dictionaries only if they come from
typing_extensions.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict


class CauseRecord(TypedDict):
    """An entry of `details.causes`, in kube-apiserver's form."""

    reason: str
    field: str
    message: str


class FindingRecord(TypedDict):
    """One finding of a rule; `page` explains the rule, as a path in the project."""

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
    """The origin of a value that the author didn't write."""

    field: str
    value: Any
    source: str
    reason: str


class UncheckedRecord(TypedDict):
    """Something that couldn't be judged, and why."""

    subject: str
    reason: str


class TodayRecord(TypedDict):
    """The nodes that have room now; if there are none, kube-scheduler's text, the nearest node, and the pods that are preempted."""

    feasible: list[str]
    message: NotRequired[str]
    nearest: NotRequired[list[str]]
    preemption: NotRequired[str]
    pod: NotRequired[str]


class PlacementRecord(TypedDict):
    """The nodes that could run the pods of a workload; `message` is kube-scheduler's text, empty if a node fits."""

    feasible: list[str]
    rejected: dict[str, list[str]]
    message: str
    nearest: list[str]
    outlook: Literal["now", "later", "never", "refused"]
    pod: NotRequired[str]
    today: NotRequired[TodayRecord]


class EffectiveValueRecord(TypedDict):
    """One value of an object that the operator creates: the object, the field, who decided the value, and why."""

    object: str
    field: str
    value: Any
    source: str
    reason: str


class SettingRecord(TypedDict):
    """A setting of the operator, and the source of its value."""

    name: str
    value: Any
    origin: str


class EventRecord(TypedDict):
    """A warning that the operator records as an event."""

    reason: str
    note: str


class TableRecord(TypedDict):
    """A table that explains a prediction: each row has a text for each column.

    The `first` rows show the choice or the nearest candidates, `rest` counts the others; both are there only if there were many candidates.
    """

    title: str
    columns: list[str]
    rows: list[list[str]]
    first: NotRequired[int]
    rest: NotRequired[str]


class MergedRecord(TypedDict):
    """The result of merging several configurations; the prediction's values for `object` say where each field comes from."""

    title: str
    object: str
    spec: dict[str, Any]


class EffectiveRecord(TypedDict):
    """The operator's predicted work for the object: its `status`, the objects that the operator creates, and the origins of their values.

    `tables` show the merged configurations, and the choices with their candidates. `merged` is the configuration that applies. `unchecked`
    lists unknown facts that the prediction depends on. `failure` is the error at which the operator stops, `kept` one that is over but
    whose condition stays, and `waits` what the operator waits for before it continues by itself.
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
    """A check that an installed CRD lacks: the field, the keyword (`schema` if the whole schema is missing), and the text of a CEL rule."""

    field: str
    keyword: str
    rule: NotRequired[str]


class CRDRecord(TypedDict):
    """The checks of `release`'s CRD that the installed one lacks, and that the webhook makes instead: their `count`, and the first 20.

    `unknownFields` are the first 20 fields that the installed CRD doesn't have.
    """

    kind: str
    release: str
    count: int
    lacks: list[LossRecord]
    unknownFields: list[str]


class ShortVerdictRecord(TypedDict):
    """The report on one request in short: the verdict and its reasons.

    `neverRuns` is there if none of its pods will ever run, `skipped` (with the reason) if Weighbridge doesn't judge the object, `source`
    and `document` if it came from a file, and `error` if it couldn't be read. `bundled` names the release whose bundled CRD was used for
    findings.
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

    `celCost` is the cost of the CRD's rules, in the API server's units. `placement` is there if the object makes pods and nodes are known,
    `effective` if the operator's work for its kind is predicted, and `crd` if the installed CRD lacks checks.
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
