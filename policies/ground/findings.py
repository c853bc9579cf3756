"""The parts of a verdict: findings, provenance, and the decision that holds them.

A `Finding` is about the user's object and is returned, never raised. Every door renders the same findings. `Unchecked` says what couldn't
be judged, and why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Any, Protocol, cast

from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, field
from weighbridge.policies.ground.records import MISSING, dataclass, fields, replace
from weighbridge.policies.ground.records import field as default_field


class Reported:
    """A dataclass whose JSON in reports has each field under its name, except fields that have their default."""

    __slots__ = ()

    def as_json(self) -> JSONObject:
        """The value as reports hold it."""
        found = ((name, default, getattr(self, name)) for name, default in _fields_of(cast("Any", type(self))))
        return {name: _listed(value) for name, default, value in found if default is MISSING or value != default}


@cache
def _fields_of(reported: Any) -> tuple[tuple[str, Any], ...]:
    """The names of the fields of a class, each with its default."""
    return tuple((entry.name, entry.default) for entry in fields(reported))


def _listed(value: JSONValue) -> JSONValue:
    """The value with lists for tuples, as JSON has it."""
    return [_listed(item) for item in value] if isinstance(value, (list, tuple)) else value


class Severity(StrEnum):
    """How much a finding weighs: an error refuses, a warning is shown, a note is shown only with `-v`."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    def is_below(self, other: Severity) -> bool:
        """Whether it weighs less than the other."""
        order = list(Severity)
        return order.index(self) > order.index(other)


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark about one field.

    `path` leads to the value (or to where it is missing); `found`, `expected` and `nearest` are the parts of a good message, `hint` is
    advice. `field_text` replaces the printed path where the API server has its own spelling. `exempted` is the reason of the exception that
    made a note of it. `configuration` is the entry of the configuration that would allow the value, as one line of YAML.
    """

    rule: str
    severity: Severity
    path: Path
    message: str
    hint: str = ""
    found: str = ""
    expected: str = ""
    nearest: str = ""
    reason: str = "FieldValueInvalid"
    field_text: str = ""
    exempted: str = ""
    configuration: str = ""

    @property
    def field(self) -> str:
        """The path as Kubernetes prints it."""
        return self.field_text or field(self.path)

    @property
    def remedy(self) -> str:
        """What to do: the hint, else what is expected; empty if the message says all."""
        return self.hint or (f"expected {self.expected}" if self.expected and self.expected not in self.message else "")

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message

    def as_json(self) -> JSONObject:
        """The finding as reports hold it: empty parts are left out, apart from the five main keys."""
        out: JSONObject = {
            "rule": self.rule,
            "severity": str(self.severity),
            "field": self.field,
            "message": self.message,
            "hint": self.hint,
        }
        parts = {"found": self.found, "expected": self.expected, "nearest": self.nearest, "exempted": self.exempted}
        parts |= {"configuration": self.configuration}
        return out | {key: text for key, text in parts.items() if text}


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a value that the author didn't write.

    `source` names it: ``crd default``, ``vendor table``, ``configuration`` or an object of the cluster; `reason` says why it applies.
    """

    path: Path
    value: JSONValue
    source: str
    reason: str

    def as_json(self) -> JSONObject:
        """The provenance as reports hold it."""
        return {"field": field(self.path), "value": self.value, "source": self.source, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Unchecked(Reported):
    """What couldn't be judged, and why."""

    subject: str
    reason: str


class NodeVerdicts(Protocol):
    """The nodes that could run a pod, and why the others can't. Both are computed on first use."""

    @property
    def feasible(self) -> Sequence[str]:
        """The names of the nodes that fit."""

    @property
    def rejected(self) -> Mapping[str, Sequence[str]]:
        """For each other node, the reasons why it doesn't fit."""


class Outlook(StrEnum):
    """Whether the pods of a workload can run.

    They can run now; or perhaps later, if something is added or changes by itself; or never on this cluster. Or the API server refuses each
    of them.
    """

    NOW = "now"
    LATER = "later"
    NEVER = "never"
    REFUSED = "refused"

    @property
    def is_hopeless(self) -> bool:
        """Whether no pod ever runs."""
        return self in (Outlook.NEVER, Outlook.REFUSED)


@dataclass(frozen=True, slots=True)
class TodayPlacement(Reported):
    """Where pods could run with what runs now.

    `feasible` has the nodes with room. If there is none, `message` is the scheduler's text, `nearest` says what the closest nodes lack, and
    `preemption` what the scheduler does to make room. `pod` names the kind of pods, if a workload has several.
    """

    feasible: Sequence[str]
    message: str = ""
    nearest: Sequence[str] = ()
    preemption: str = ""
    pod: str = ""


@dataclass(frozen=True, slots=True)
class PodPlacement:
    """Where the pods of a workload could run, by kube-scheduler's rules and in its words, on a cluster without other pods.

    `nodes` has the nodes that fit, and why the others don't. `message` is the scheduler's text, empty if a node fits. `nearest` names
    the nodes that came closest. `pod` names the kind of pods, if a workload has several. `today` is set if the pods that run are known.
    """

    nodes: NodeVerdicts
    message: str
    nearest: Sequence[str]
    outlook: Outlook
    pod: str = ""
    today: TodayPlacement | None = None

    def as_json(self) -> JSONObject:
        """The placement as reports hold it."""
        rejected = {node: list(reasons) for node, reasons in self.nodes.rejected.items()}
        out: JSONObject = {
            "feasible": list(self.nodes.feasible),
            "rejected": rejected,
            "message": self.message,
            "nearest": list(self.nearest),
            "outlook": str(self.outlook),
        }
        out |= {"pod": self.pod} if self.pod else {}
        return out if self.today is None else {**out, "today": self.today.as_json()}


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on one request, as every door renders it.

    `code` is the HTTP status that the API server would answer with (200 and 201 where allowed); `message` its text, empty where allowed.
    `causes` are maps of reason, field and message. `patch` is the JSON Patch of the mutation and `object` the whole object as it would be
    stored, `None` where it can't be known (undecodable, or a deletion). `cel_cost` is what the CRD's rules spent of the 10,000,000 units
    that the API server allows for one object; 0 if none was evaluated. `placement` says where the object's pods could run, and `never_runs`
    that none of them will ever run, which a finding reports. `skipped` says why the object isn't judged, such as a built-in kind.
    `effective` is the prediction for the object, offline. `crd` is what the installed CRD lacks, offline, and `None` if it lacks nothing
    that is checked. `bundled` names the release whose shipped CRD the findings come from, and is empty if none come from one. `groups` are
    the pods that the object runs at a time, offline, if they fit one by one or wait for nodes (`policies/pods/groups.py`).
    """

    allowed: bool
    code: int
    message: str = ""
    causes: Sequence[JSONObject] = ()
    warnings: Sequence[str] = ()
    findings: Sequence[Finding] = ()
    patch: Sequence[JSONObject] = ()
    provenance: Sequence[Provenance] = ()
    object: JSONValue = None
    unchecked: Sequence[Unchecked] = ()
    audit_annotations: dict[str, str] = default_field(default_factory=dict)
    cel_cost: int = 0
    placement: PodPlacement | None = None
    never_runs: bool = False
    skipped: str = ""
    effective: JSONObject | None = None
    crd: JSONObject | None = None
    bundled: str = ""
    groups: Sequence[Any] = ()

    def summary(self) -> Decision:
        """The decision as reports hold it, without the objects, which may be long."""
        return replace(self, object=None, provenance=(), placement=None, effective=None)
