"""The API server's checks of a pod's resources: names, whole numbers, requests and limits, pod level and containers.

Source: Kubernetes v1.36, pkg/apis/core/validation (`ValidateContainerResourceRequirements`, `validatePodResources`). Where the server walks
a map in random order, this has the author's order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from weighbridge.policies.ground.field_errors import NEGATIVE, ErrorType, FieldError, unsupported
from weighbridge.policies.ground.fields import items, part
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.quantity import Quantity, QuantityError
from weighbridge.policies.pods.requests import MAX_COUNT, Amounts, aggregate, containers, is_pod_level, read_amounts
from weighbridge.policies.pods.validation.wordings import (
    CLAIMS_OF_POD,
    HUGE_PAGES_ALONE,
    NO_LIMIT,
    NOT_EXTENDED,
    NOT_OF_CONTAINERS,
    NOT_STANDARD,
    NOT_WHOLE,
    above_limit,
    above_pod,
    below_containers,
    no_multiple,
    not_the_limit,
)
from weighbridge.policies.schema.names import qualified_name

_CONTAINER_RESOURCES = {"cpu", "memory", "ephemeral-storage"}
#: Resources that are counted in whole numbers, as those with a domain are.
_WHOLE = {
    *("pods", "services", "replicationcontrollers", "resourcequotas", "secrets", "configmaps", "persistentvolumeclaims"),
    *("services.nodeports", "services.loadbalancers"),
}
_STANDARD_RESOURCES = {
    *_CONTAINER_RESOURCES,
    *(f"{kind}.{name}" for kind in ("requests", "limits") for name in _CONTAINER_RESOURCES),
    *_WHOLE,
    *("storage", "requests.storage"),
}
_HUGEPAGES = "hugepages-"


def resource_errors(spec: JSONObject) -> Iterator[FieldError]:
    """The errors of the requests of a pod's containers, of the pod itself, and of its overhead."""
    for kind, index, container in sorted(containers(spec), key=lambda found: found[0]):
        yield from container_resource_errors(container, f"spec.{kind}[{index}]")
    if spec.get("resources") is not None:
        yield from _pod_level(spec)
    yield from overhead_errors(spec, "spec")


def container_resource_errors(container: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the limits and requests of one container."""
    return _requirements(part(container, "resources"), f"{path}.resources", container_resource_name)


def overhead_errors(pod: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of a pod's overhead."""
    if pod.get("overhead") is not None:
        yield from _requirements({"limits": pod["overhead"]}, f"{path}.overhead", container_resource_name)


def is_extended(name: str) -> bool:
    """Whether a resource has its own domain, as those of device plugins do."""
    return "/" in name and "kubernetes.io/" not in name and not name.startswith("requests.") and not qualified_name(f"requests.{name}")


def unreadable_amounts(value: JSONValue) -> Iterator[tuple[str, str]]:
    """The amounts of a resource list that aren't quantities, with the parser's text."""
    for name, amount in value.items() if isinstance(value, dict) else ():
        try:
            Quantity.parse(str(amount))
        except QuantityError as error:
            yield name, str(error)


def _requirements(resources: JSONObject, path: str, name_errors: Callable[[str, str], Iterator[FieldError]]) -> Iterator[FieldError]:
    limits, requests = read_amounts(resources.get("limits")), read_amounts(resources.get("requests"))
    for kind, amounts in (("limits", limits), ("requests", requests)):
        for name, amount in amounts.items():
            where = f"{path}.{kind}[{name}]"
            yield from name_errors(name, where)
            yield from _amount(name, amount, where)
            if kind == "requests":
                yield from _against_limit(name, amount, limits, path)
            if name.startswith(_HUGEPAGES) and not _is_divisible(name, amount):
                yield FieldError(ErrorType.INVALID, where, str(amount), no_multiple(amount, name))
    named = limits.keys() | requests.keys()
    if any(name.startswith(_HUGEPAGES) for name in named) and not named & {"cpu", "memory"}:
        # NB: the server names the field that it checked last.
        yield FieldError(ErrorType.FORBIDDEN, path, detail=HUGE_PAGES_ALONE)


def container_resource_name(name: str, path: str) -> Iterator[FieldError]:
    """The errors of the name of a resource of containers."""
    yield from _resource_name(name, path)
    if "/" not in name:
        if name not in _CONTAINER_RESOURCES and not name.startswith(_HUGEPAGES):
            yield FieldError(ErrorType.INVALID, path, name, NOT_OF_CONTAINERS)
    elif "kubernetes.io/" not in name and not is_extended(name):
        yield FieldError(ErrorType.INVALID, path, name, NOT_EXTENDED)


def _pod_level_name(name: str, path: str) -> Iterator[FieldError]:
    errors = list(_resource_name(name, path))
    yield from errors
    if not errors and not is_pod_level(name):
        yield unsupported(path, name, ("cpu", _HUGEPAGES, "memory"))


def _resource_name(name: str, path: str) -> Iterator[FieldError]:
    messages = qualified_name(name)
    for message in messages:
        yield FieldError(ErrorType.INVALID, path, name, message)
    if not messages and "/" not in name and name not in _STANDARD_RESOURCES and not name.startswith((_HUGEPAGES, "requests.hugepages-")):
        yield FieldError(ErrorType.INVALID, path, name, NOT_STANDARD)


def _amount(name: str, amount: Quantity, path: str) -> Iterator[FieldError]:
    if amount.sign() < 0:
        yield FieldError(ErrorType.INVALID, path, str(amount), NEGATIVE)
    if (is_extended(name) or name in _WHOLE) and amount.milli_value() % 1000 and abs(amount.milli_value()) < MAX_COUNT:
        yield FieldError(ErrorType.INVALID, path, str(amount), NOT_WHOLE)


def _against_limit(name: str, amount: Quantity, limits: Amounts, path: str) -> Iterator[FieldError]:
    can_exceed = ("/" not in name or "kubernetes.io/" in name) and not name.startswith(_HUGEPAGES)
    if name not in limits:
        if not can_exceed:
            yield FieldError(ErrorType.REQUIRED, f"{path}.limits", detail=NO_LIMIT)
    elif amount != limits[name] and not can_exceed:
        yield FieldError(ErrorType.INVALID, f"{path}.requests", str(amount), not_the_limit(name, limits[name]))
    elif amount.compare(limits[name]) > 0:
        yield FieldError(ErrorType.INVALID, f"{path}.requests", str(amount), above_limit(name, limits[name]))


def _is_divisible(name: str, amount: Quantity) -> bool:
    try:
        page = Quantity.parse(name.removeprefix(_HUGEPAGES))
    except QuantityError:
        return False
    return page.sign() > 0 and page.milli_value() % 1000 == 0 and amount.value() % page.value() == 0


def _pod_level(spec: JSONObject) -> Iterator[FieldError]:
    """The errors of pod-level resources, which containers may not exceed."""
    path, resources = "spec.resources", part(spec, "resources")
    if resources.get("claims") is not None:
        yield FieldError(ErrorType.FORBIDDEN, f"{path}.claims", detail=CLAIMS_OF_POD)
    yield from _requirements(resources, path, _pod_level_name)
    requests, limits = read_amounts(resources.get("requests")), read_amounts(resources.get("limits"))
    for name, total in aggregate(spec).items():
        if name in requests and total.compare(requests[name]) > 0:
            detail = below_containers("requests", total)
            yield FieldError(ErrorType.INVALID, f"{path}.requests[{name}]", str(requests[name]), detail)
    for name, total in aggregate(spec, "limits").items():
        if name.startswith(_HUGEPAGES) and name in limits and total.compare(limits[name]) > 0:
            detail = below_containers("limits", total)
            yield FieldError(ErrorType.INVALID, f"{path}.limits[{name}]", str(limits[name]), detail)
    for index, container in enumerate(items(spec, "containers")):
        for name, limit in read_amounts(part(container, "resources", "limits")).items():
            if name in limits and limit.compare(limits[name]) > 0:
                where = f"{path}.containers[{index}][{name}].limits"
                yield FieldError(ErrorType.INVALID, where, str(limit), above_pod(limits[name]))
