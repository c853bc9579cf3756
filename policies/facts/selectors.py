"""Selectors: by them objects choose others by labels, and pods, volumes, slices and claims choose nodes.

A requirement is one expression. A label selector requires all of its labels and expressions. A node selector has terms, which are
alternatives; within a term all expressions and fields must be met. Only node selectors compare numbers. Sources: Kubernetes v1.36, meta/v1
LabelSelector (`LabelSelectorAsSelector`), core/v1 NodeSelectorTerm and component-helpers/scheduling/corev1/nodeaffinity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.field_errors import ErrorType, FieldError, aggregate
from weighbridge.policies.ground.fields import items, text, text_map, texts
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.names import label_value, qualified_name

_INTEGER: Final = expression(r"[+-]?[0-9]{1,40}", re.ASCII)
_INT64: Final = range(-(2**63), 2**63)
_NAME: Final = "metadata.name"
#: The label that the API server puts on every namespace.
NAMESPACE_NAME: Final = "kubernetes.io/metadata.name"
#: The operators of a label selector's expressions; a node selector's can also compare numbers.
OPERATORS: Final = ("In", "NotIn", "Exists", "DoesNotExist")


@dataclass(frozen=True, slots=True)
class Requirement:
    """One condition on a label or, among a term's fields, on the node's name."""

    key: str
    operator: str
    values: tuple[str, ...]

    def holds(self, labels: Mapping[str, str]) -> bool:
        """Whether a node (or a pod) with these labels meets it; a missing label meets `NotIn` and `DoesNotExist`."""
        value = labels.get(self.key)
        match self.operator:
            case "In":
                return value in self.values
            case "NotIn":
                return value not in self.values
            case "Exists":
                return value is not None
            case "DoesNotExist":
                return value is None
            case "Gt" | "Lt":
                return self._compares(value)
        return False

    def _compares(self, value: str | None) -> bool:
        bound = as_integer(self.values[0]) if self.values else None
        number = as_integer(value) if value is not None else None
        if bound is None or number is None:
            return False
        return number > bound if self.operator == "Gt" else number < bound

    @property
    def is_readable(self) -> bool:
        """Whether it can be evaluated. In a pod's affinity one that can't be makes its whole term match nothing."""
        match self.operator:
            case "Gt" | "Lt":
                return len(self.values) == 1 and as_integer(self.values[0]) is not None
            case "In" | "NotIn":
                return bool(self.values)
            case "Exists" | "DoesNotExist":
                return not self.values
        return False


@dataclass(frozen=True, slots=True)
class Term:
    """One alternative: expressions over labels, and fields (only a node's name can be one)."""

    expressions: tuple[Requirement, ...]
    fields: tuple[Requirement, ...]

    def matches(self, labels: Mapping[str, str], name: str = "") -> bool:
        """Whether a node meets all conditions. A term without conditions matches nothing, and without a name fields aren't checked."""
        if not (self.expressions or self.fields):
            return False
        fields = self.fields if name else ()
        return all(wanted.holds(labels) for wanted in self.expressions) and all(wanted.holds({_NAME: name}) for wanted in fields)

    @property
    def is_readable(self) -> bool:
        """Whether every condition can be evaluated."""
        named = all(wanted.operator in ("In", "NotIn") and len(wanted.values) == 1 for wanted in self.fields)
        return named and all(wanted.is_readable for wanted in self.expressions)

    def names(self) -> frozenset[str] | None:
        """The only node names that the term matches; `None` if it matches others."""
        listed = [frozenset(wanted.values) for wanted in self.fields if wanted.key == _NAME and wanted.operator == "In"]
        return frozenset.intersection(*listed) if listed else None


def as_integer(value: str) -> int | None:
    """A decimal integer of 64 bits as Go reads one (`05` is 5); `None` for anything else."""
    if not _INTEGER.fullmatch(value):
        return None
    number = int(value)
    return number if number in _INT64 else None


def read_requirements(values: Iterable[JSONObject]) -> tuple[Requirement, ...]:
    """The expressions of a term or a label selector."""
    return tuple(Requirement(text(item, "key"), text(item, "operator"), texts(item, "values")) for item in values)


def read_terms(values: Iterable[JSONObject]) -> tuple[Term, ...]:
    """The terms of `nodeSelectorTerms`."""
    return tuple(Term(read_requirements(items(item, "matchExpressions")), read_requirements(items(item, "matchFields"))) for item in values)


def are_met(match_labels: Mapping[str, str], requirements: Iterable[Requirement], labels: Mapping[str, str]) -> bool:
    """Whether an object with these labels meets all conditions of a label selector."""
    return all(labels.get(key) == value for key, value in match_labels.items()) and all(
        wanted.operator in OPERATORS and wanted.holds(labels) for wanted in requirements
    )


def selects(selector: JSONValue, labels: Mapping[str, str]) -> bool:
    """Whether a label selector chooses an object with these labels; a missing selector chooses nothing, an empty one everything."""
    if not isinstance(selector, dict):
        return False
    return are_met(text_map(selector, "matchLabels"), read_requirements(items(selector, "matchExpressions")), labels)


def labels_of(selector: JSONValue) -> set[str]:
    """The labels on which a label selector has conditions."""
    return {*text_map(selector, "matchLabels"), *(wanted.key for wanted in read_requirements(items(selector, "matchExpressions")))}


def selector_problems(selector: JSONValue) -> Iterator[tuple[Path, str]]:
    """Why Kubernetes' clients can't evaluate a label selector, and where in it."""
    for key, value in text_map(selector, "matchLabels").items():
        yield from ((("matchLabels", key), message) for message in (*qualified_name(key), *label_value(value)))
    for index, wanted in enumerate(read_requirements(items(selector, "matchExpressions"))):
        path: Path = ("matchExpressions", index)
        if wanted.operator not in OPERATORS:
            yield (*path, "operator"), f'"{wanted.operator}" is not a valid label selector operator'
            continue
        if not wanted.is_readable:
            yield (*path, "values"), f"must {'not be' if wanted.operator in ('In', 'NotIn') else 'be'} empty for operator {wanted.operator}"
        yield from (((*path, "key"), message) for message in qualified_name(wanted.key))
        for at, value in enumerate(wanted.values):
            yield from (((*path, "values", at), message) for message in label_value(value))


def selector_failure(selector: JSONValue) -> str:
    """The error of Kubernetes' clients on a label selector that they can't evaluate (`LabelSelectorAsSelector`); empty if they can."""
    labels = (Requirement(key, "In", (value,)) for key, value in text_map(selector, "matchLabels").items())
    for wanted in (*labels, *read_requirements(items(selector, "matchExpressions"))):
        if wanted.operator not in OPERATORS:
            return f'"{wanted.operator}" is not a valid label selector operator'
        errors = list(_requirement_errors(wanted))
        if errors:
            return aggregate(errors)
    return ""


def _requirement_errors(wanted: Requirement) -> Iterator[FieldError]:
    if faults := qualified_name(wanted.key):
        yield FieldError(ErrorType.INVALID, "key", wanted.key, "; ".join(faults))
    # NB: Go has no list where none is written.
    values: JSONValue = list(wanted.values) or None
    if wanted.operator in ("In", "NotIn") and not wanted.values:
        yield FieldError(ErrorType.INVALID, "values", values, "for 'in', 'notin' operators, values set can't be empty")
    elif wanted.operator in ("Exists", "DoesNotExist") and wanted.values:
        yield FieldError(ErrorType.INVALID, "values", values, "values set must be empty for exists and does not exist")
    for index, value in enumerate(wanted.values):
        if faults := label_value(value):
            yield FieldError(ErrorType.INVALID, f"values[{index}][{wanted.key}]", value, "; ".join(faults))
