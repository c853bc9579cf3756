"""The API server's checks of what a pod prefers, of which pods it keeps near or away, and of how its replicas spread.

Source: Kubernetes v1.36, pkg/apis/core/validation (validateAffinity, validateTopologySpreadConstraints) and
apimachinery/pkg/apis/meta/v1/validation (ValidateLabelSelector). What a pod requires of its node is checked with placement.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.families.llmkube.resolve.security_validation import unsupported
from policies.field_errors import ErrorType, FieldError
from policies.fields import items, part, text, text_map, texts, whole
from policies.objects import JSONObject
from policies.pods.validation.scheduling import scheduling_errors
from policies.schema.names import dns1123_label, label_value, qualified_name

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_MAX_WEIGHT: Final = 100
_UNSATISFIABLE: Final = ("DoNotSchedule", "ScheduleAnyway")
_POLICIES: Final = ("Honor", "Ignore")


def affinity_errors(affinity: JSONObject, path: str) -> Iterator[FieldError]:
    """What is wrong with preferences of nodes, and with what a pod says of other pods."""
    for index, wanted in enumerate(items(affinity, "nodeAffinity", _PREFERRED)):
        where = f"{path}.nodeAffinity.{_PREFERRED}[{index}]"
        yield from _weight_errors(wanted, where)
        yield from _preference_errors(part(wanted, "preference"), f"{where}.preference")
    for kind in ("podAffinity", "podAntiAffinity"):
        for index, term in enumerate(items(affinity, kind, _REQUIRED)):
            yield from _term_errors(term, f"{path}.{kind}.{_REQUIRED}[{index}]")
        for index, wanted in enumerate(items(affinity, kind, _PREFERRED)):
            where = f"{path}.{kind}.{_PREFERRED}[{index}]"
            yield from _weight_errors(wanted, where)
            yield from _term_errors(part(wanted, "podAffinityTerm"), f"{where}.podAffinityTerm")


def _weight_errors(wanted: JSONObject, path: str) -> Iterator[FieldError]:
    weight = whole(wanted, "weight")
    if not 0 < weight <= _MAX_WEIGHT:
        yield FieldError(ErrorType.INVALID, f"{path}.weight", weight, f"must be in the range 1-{_MAX_WEIGHT}")


def _preference_errors(preference: JSONObject, path: str) -> Iterator[FieldError]:
    """A preferred term is checked as a required one is."""
    required = f"spec.affinity.nodeAffinity.{_REQUIRED}.nodeSelectorTerms[0]"
    for error in scheduling_errors({"affinity": {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": [preference]}}}}):
        yield FieldError(error.type, error.field.replace(required, path, 1), error.bad_value, error.detail)


def _term_errors(term: JSONObject, path: str) -> Iterator[FieldError]:
    for field in ("labelSelector", "namespaceSelector"):
        yield from selector_errors(part(term, field), f"{path}.{field}")
    for namespace in texts(term, "namespaces"):
        for message in dns1123_label(namespace):
            yield FieldError(ErrorType.INVALID, f"{path}.namespace", namespace, message)
    key = text(term, "topologyKey")
    if not key:
        yield FieldError(ErrorType.REQUIRED, f"{path}.topologyKey", detail="can not be empty")
    for message in qualified_name(key):
        yield FieldError(ErrorType.INVALID, f"{path}.topologyKey", key, message)


def spread_errors(constraints: list[JSONObject], path: str) -> Iterator[FieldError]:
    """What is wrong with the constraints on how replicas spread."""
    pairs = [(text(constraint, "topologyKey"), text(constraint, "whenUnsatisfiable")) for constraint in constraints]
    for index, (constraint, (key, unsatisfiable)) in enumerate(zip(constraints, pairs, strict=True)):
        where, skew = f"{path}[{index}]", whole(constraint, "maxSkew")
        if skew <= 0:
            yield FieldError(ErrorType.INVALID, f"{where}.maxSkew", skew, "must be greater than zero")
        if not key:
            yield FieldError(ErrorType.REQUIRED, f"{where}.topologyKey", detail="can not be empty")
        if unsatisfiable not in _UNSATISFIABLE:
            yield unsupported(f"{where}.whenUnsatisfiable", unsatisfiable, _UNSATISFIABLE)
        # NB: of two that are the same the server names the first.
        if (key, unsatisfiable) in pairs[index + 1 :]:
            yield FieldError(ErrorType.DUPLICATE, f"{where}.{{topologyKey, whenUnsatisfiable}}", f"{{{key}, {unsatisfiable}}}")
        yield from _domain_errors(constraint, unsatisfiable, where)
        for field in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
            policy = constraint.get(field)
            if isinstance(policy, str) and policy not in _POLICIES:
                yield unsupported(f"{where}.{field}", policy, _POLICIES)
        yield from selector_errors(part(constraint, "labelSelector"), f"{where}.labelSelector")


def _domain_errors(constraint: JSONObject, unsatisfiable: str, path: str) -> Iterator[FieldError]:
    least = constraint.get("minDomains")
    if not isinstance(least, int):
        return
    if least <= 0:
        yield FieldError(ErrorType.INVALID, f"{path}.minDomains", least, "must be greater than zero")
    if unsatisfiable != "DoNotSchedule":
        detail = f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {unsatisfiable}"
        yield FieldError(ErrorType.INVALID, f"{path}.minDomains", least, detail)


def selector_errors(selector: JSONObject, path: str) -> Iterator[FieldError]:
    """What is wrong with a label selector."""
    for key, value in text_map(selector, "matchLabels").items():
        for wrong, messages in ((key, qualified_name(key)), (value, label_value(value))):
            for message in messages:
                yield FieldError(ErrorType.INVALID, f"{path}.matchLabels", wrong, message)
    for index, wanted in enumerate(items(selector, "matchExpressions")):
        yield from _expression_errors(wanted, f"{path}.matchExpressions[{index}]")


def _expression_errors(wanted: JSONObject, path: str) -> Iterator[FieldError]:
    operator, values, key = text(wanted, "operator"), texts(wanted, "values"), text(wanted, "key")
    match operator:
        case "In" | "NotIn":
            if not values:
                yield FieldError(ErrorType.REQUIRED, f"{path}.values", detail="must be specified when `operator` is 'In' or 'NotIn'")
        case "Exists" | "DoesNotExist":
            if values:
                detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
                yield FieldError(ErrorType.FORBIDDEN, f"{path}.values", detail=detail)
        case _:
            yield FieldError(ErrorType.INVALID, f"{path}.operator", operator, "not a valid selector operator")
    for message in qualified_name(key):
        yield FieldError(ErrorType.INVALID, f"{path}.key", key, message)
    for index, value in enumerate(values):
        for message in label_value(value):
            yield FieldError(ErrorType.INVALID, f"{path}.values[{index}]", value, message)
