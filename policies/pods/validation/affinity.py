"""The API server's checks of a pod's preferred nodes, its affinity to other pods, and its topology spread.

Source: Kubernetes v1.36, pkg/apis/core/validation (validateAffinity, validateTopologySpreadConstraints). Required node affinity is checked
in `scheduling`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.field_errors import NOT_POSITIVE, ErrorType, FieldError, unsupported, value_errors
from weighbridge.policies.ground.fields import items, part, text, text_map, texts, whole
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.label_keys import LABEL_KEYS
from weighbridge.policies.pods.validation.selectors import selector_errors, term_errors
from weighbridge.policies.pods.validation.wordings import (
    EMPTY,
    KEY_IN_BOTH,
    KEY_IN_SELECTOR,
    KEYS_WITHOUT_SELECTOR,
    domains_of,
    outside_weights,
)
from weighbridge.policies.schema.names import dns1123_label, qualified_name

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_MAX_WEIGHT: Final = 100
_UNSATISFIABLE: Final = ("DoNotSchedule", "ScheduleAnyway")
_POLICIES: Final = ("Honor", "Ignore")


def affinity_errors(affinity: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of preferred node affinity, and of affinity and anti-affinity to pods."""
    for index, wanted in enumerate(items(affinity, "nodeAffinity", _PREFERRED)):
        where = f"{path}.nodeAffinity.{_PREFERRED}[{index}]"
        yield from _weight_errors(wanted, where)
        yield from term_errors(part(wanted, "preference"), f"{where}.preference", is_required=False)
    for kind in ("podAffinity", "podAntiAffinity"):
        for index, term in enumerate(items(affinity, kind, _REQUIRED)):
            yield from _pod_term_errors(term, f"{path}.{kind}.{_REQUIRED}[{index}]")
        for index, wanted in enumerate(items(affinity, kind, _PREFERRED)):
            where = f"{path}.{kind}.{_PREFERRED}[{index}]"
            yield from _weight_errors(wanted, where)
            yield from _pod_term_errors(part(wanted, "podAffinityTerm"), f"{where}.podAffinityTerm")


def _weight_errors(wanted: JSONObject, path: str) -> Iterator[FieldError]:
    weight = whole(wanted, "weight")
    if not 0 < weight <= _MAX_WEIGHT:
        yield FieldError(ErrorType.INVALID, f"{path}.weight", weight, outside_weights(_MAX_WEIGHT))


def _pod_term_errors(term: JSONObject, path: str) -> Iterator[FieldError]:
    for field in ("labelSelector", "namespaceSelector"):
        yield from selector_errors(part(term, field), f"{path}.{field}")
    for namespace in texts(term, "namespaces"):
        yield from value_errors(f"{path}.namespace", namespace, dns1123_label(namespace))
    yield from _label_key_errors(term, path)
    key = text(term, "topologyKey")
    if not key:
        yield FieldError(ErrorType.REQUIRED, f"{path}.topologyKey", detail=EMPTY)
    yield from value_errors(f"{path}.topologyKey", key, qualified_name(key))


def _label_key_errors(term: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the keys of labels whose values are the pod's own."""
    selector = term.get("labelSelector")
    for field in LABEL_KEYS:
        keys = texts(term, field)
        if keys and not isinstance(selector, dict):
            yield FieldError(ErrorType.FORBIDDEN, f"{path}.{field}", detail=KEYS_WITHOUT_SELECTOR)
            continue
        for index, key in enumerate(keys):
            yield from value_errors(f"{path}.{field}[{index}]", key, qualified_name(key))
    matched = {key: index for index, key in enumerate(texts(term, "matchLabelKeys"))}
    # NB: a key is noticed only if an expression repeats it, which the server's own one does in a pod that has the label.
    seen = set(text_map(selector, "matchLabels"))
    for wanted in items(selector, "matchExpressions") if matched else ():
        key = text(wanted, "key")
        if key in matched and key in seen:
            yield FieldError(ErrorType.INVALID, f"{path}[{matched[key]}]", key, KEY_IN_SELECTOR)
        seen.add(key)
    unwanted = set(texts(term, "mismatchLabelKeys"))
    for index, key in enumerate(texts(term, "matchLabelKeys")):
        if key in unwanted:
            yield FieldError(ErrorType.INVALID, f"{path}.matchLabelKeys[{index}]", key, KEY_IN_BOTH)


def spread_errors(constraints: list[JSONObject], path: str) -> Iterator[FieldError]:
    """The errors of topology spread constraints."""
    pairs = [(text(constraint, "topologyKey"), text(constraint, "whenUnsatisfiable")) for constraint in constraints]
    later = Counter(pairs)
    for index, (constraint, (key, unsatisfiable)) in enumerate(zip(constraints, pairs, strict=True)):
        where, skew = f"{path}[{index}]", whole(constraint, "maxSkew")
        if skew <= 0:
            yield FieldError(ErrorType.INVALID, f"{where}.maxSkew", skew, NOT_POSITIVE)
        if not key:
            yield FieldError(ErrorType.REQUIRED, f"{where}.topologyKey", detail=EMPTY)
        if unsatisfiable not in _UNSATISFIABLE:
            yield unsupported(f"{where}.whenUnsatisfiable", unsatisfiable, _UNSATISFIABLE)
        # NB: if two are equal, the server names the first.
        later[key, unsatisfiable] -= 1
        if later[key, unsatisfiable]:
            yield FieldError(ErrorType.DUPLICATE, f"{where}.{{topologyKey, whenUnsatisfiable}}", f"{{{key}, {unsatisfiable}}}")
        yield from _domain_errors(constraint, unsatisfiable, where)
        for field in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
            policy = constraint.get(field)
            if isinstance(policy, str) and policy not in _POLICIES:
                yield unsupported(f"{where}.{field}", policy, _POLICIES)
        yield from _label_key_errors(constraint, where)
        yield from selector_errors(part(constraint, "labelSelector"), f"{where}.labelSelector")


def _domain_errors(constraint: JSONObject, unsatisfiable: str, path: str) -> Iterator[FieldError]:
    least = constraint.get("minDomains")
    if not isinstance(least, int):
        return
    if least <= 0:
        yield FieldError(ErrorType.INVALID, f"{path}.minDomains", least, NOT_POSITIVE)
    if unsatisfiable != "DoNotSchedule":
        yield FieldError(ErrorType.INVALID, f"{path}.minDomains", least, domains_of(unsatisfiable))
