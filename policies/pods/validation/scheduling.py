"""The API server's checks of where a pod may go: selectors, node affinity, tolerations, gates.

Source: Kubernetes v1.36, pkg/apis/core/validation (`ValidateTolerations`, `ValidateNodeSelectorTerm`, `validateSchedulingGates`).
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.field_errors import ErrorType, FieldError
from policies.fields import items, part, text, text_map, texts
from policies.objects import JSONObject
from policies.schema.names import dns1123_subdomain, label_value, qualified_name

_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def scheduling_errors(spec: JSONObject) -> Iterator[FieldError]:
    """What is wrong with the parts of a pod that say where it may go."""
    for key, value in text_map(spec, "nodeSelector").items():
        yield from _label_key(key, "spec.nodeSelector")
        for message in label_value(value):
            yield FieldError(ErrorType.INVALID, "spec.nodeSelector", value, message)
    required = "requiredDuringSchedulingIgnoredDuringExecution"
    affinity = part(spec, "affinity", "nodeAffinity")
    if affinity.get(required) is not None:
        yield from _node_selector(part(affinity, required), f"spec.affinity.nodeAffinity.{required}.nodeSelectorTerms")
    gates = [text(gate, "name") for gate in items(spec, "schedulingGates")]
    for index, name in enumerate(gates):
        yield from _label_key(name, f"spec.schedulingGates[{index}]")
        if name in gates[:index]:
            yield FieldError(ErrorType.DUPLICATE, f"spec.schedulingGates[{index}]", name)
    for index, toleration in enumerate(items(spec, "tolerations")):
        yield from _toleration(toleration, f"spec.tolerations[{index}]")
    if gates and text(spec, "nodeName"):
        yield FieldError(ErrorType.FORBIDDEN, "spec.nodeName", detail="cannot be set until all schedulingGates have been cleared")


def _node_selector(selector: JSONObject, path: str) -> Iterator[FieldError]:
    terms = items(selector, "nodeSelectorTerms")
    if not terms:
        yield FieldError(ErrorType.REQUIRED, path, detail="must have at least one node selector term")
    for index, term in enumerate(terms):
        for at, wanted in enumerate(items(term, "matchExpressions")):
            yield from _expression(wanted, f"{path}[{index}].matchExpressions[{at}]")
        for at, wanted in enumerate(items(term, "matchFields")):
            yield from _field(wanted, f"{path}[{index}].matchFields[{at}]")


def _expression(wanted: JSONObject, path: str) -> Iterator[FieldError]:
    operator, values = text(wanted, "operator"), texts(wanted, "values")
    match operator:
        case "In" | "NotIn":
            if not values:
                yield FieldError(ErrorType.REQUIRED, f"{path}.values", detail="must be specified when `operator` is 'In' or 'NotIn'")
        case "Exists" | "DoesNotExist":
            if values:
                detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
                yield FieldError(ErrorType.FORBIDDEN, f"{path}.values", detail=detail)
        case "Gt" | "Lt":
            if len(values) != 1:
                detail = "must be specified single value when `operator` is 'Lt' or 'Gt'"
                yield FieldError(ErrorType.REQUIRED, f"{path}.values", detail=detail)
        case _:
            yield FieldError(ErrorType.INVALID, f"{path}.operator", operator, "not a valid selector operator")
    yield from _label_key(text(wanted, "key"), f"{path}.key")
    for index, value in enumerate(values):
        for message in label_value(value):
            yield FieldError(ErrorType.INVALID, f"{path}.values[{index}]", value, message)


def _field(wanted: JSONObject, path: str) -> Iterator[FieldError]:
    key, operator, values = text(wanted, "key"), text(wanted, "operator"), texts(wanted, "values")
    if operator not in ("In", "NotIn"):
        yield FieldError(ErrorType.INVALID, f"{path}.operator", operator, "not a valid selector operator")
    elif len(values) != 1:
        detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
        yield FieldError(ErrorType.REQUIRED, f"{path}.values", detail=detail)
    if key != "metadata.name":
        yield FieldError(ErrorType.INVALID, f"{path}.key", key, "not a valid field selector key")
        return
    for index, value in enumerate(values):
        for message in dns1123_subdomain(value):
            yield FieldError(ErrorType.INVALID, f"{path}.values[{index}]", value, message)


def _toleration(toleration: JSONObject, path: str) -> Iterator[FieldError]:
    key, operator = text(toleration, "key"), text(toleration, "operator")
    value, effect = text(toleration, "value"), text(toleration, "effect")
    if key:
        yield from _label_key(key, f"{path}.key")
    elif operator != "Exists":
        detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
        yield FieldError(ErrorType.INVALID, f"{path}.operator", operator, detail)
    if toleration.get("tolerationSeconds") is not None and effect != "NoExecute":
        yield FieldError(ErrorType.INVALID, f"{path}.effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")
    match operator:
        case "" | "Equal":
            messages = label_value(value)
            if messages:
                yield FieldError(ErrorType.INVALID, f"{path}.operator", value, ";".join(messages))
        case "Exists":
            if value:
                yield FieldError(ErrorType.INVALID, f"{path}.operator", value, "value must be empty when `operator` is 'Exists'")
        case "Gt" | "Lt":
            # NB: refused although the text lists them: comparing is an alpha feature.
            yield _unsupported(f"{path}.operator", operator, ("Equal", "Exists", "Lt", "Gt"))
        case _:
            yield _unsupported(f"{path}.operator", operator, ("Equal", "Exists"))
    if effect and effect not in _EFFECTS:
        yield _unsupported(f"{path}.effect", effect, tuple(sorted(_EFFECTS)))


def _unsupported(path: str, value: str, supported: tuple[str, ...]) -> FieldError:
    listed = ", ".join(f'"{word}"' for word in supported)
    return FieldError(ErrorType.NOT_SUPPORTED, path, value, f"supported values: {listed}")


def _label_key(key: str, path: str) -> Iterator[FieldError]:
    for message in qualified_name(key):
        yield FieldError(ErrorType.INVALID, path, key, message)
