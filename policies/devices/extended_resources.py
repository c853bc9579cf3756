"""Extended resources of a DeviceClass: the claim that the scheduler creates for them.

Each node decides which of them become devices: if a device plugin offers a resource there, only the plugin serves it. Init containers use
again what later long-running containers request. Source: kubernetes v1.36,
scheduler/framework/plugins/dynamicresources/extendeddynamicresources.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from weighbridge.policies.devices.claims import EXACT_COUNT, Claim, DeviceRequest, DeviceWish
from weighbridge.policies.devices.classes import DeviceClass
from weighbridge.policies.ground.fields import amount, items, part, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

#: The name of that claim before it is written.
CLAIM_NAME: Final = "<extended-resources>"


@dataclass(frozen=True, slots=True)
class Container:
    """What a container requests, by resource; `is_brief` for an init container that ends before the others run."""

    amounts: Mapping[str, int]
    is_brief: bool


@dataclass(frozen=True, slots=True)
class ExtendedRequests:
    """A pod's requests for resources that belong to classes."""

    namespace: str
    containers: tuple[Container, ...]
    classes: Mapping[str, DeviceClass]

    def claim_for(self, allocatable: Mapping[str, int]) -> tuple[Claim, bool]:
        """The claim for a node that has these amounts, and whether the pod requests anything that the node doesn't have itself."""
        through_devices = sorted(name for name in self.classes if not allocatable.get(name))
        requests = [request for name in through_devices for request in self._requests(name)]
        requests.sort(key=lambda request: request.name)
        return Claim(self.namespace, CLAIM_NAME, tuple(requests)), bool(through_devices)

    def _requests(self, resource: str) -> list[DeviceRequest]:
        class_name = self.classes[resource].name
        lasting = [0 if container.is_brief else container.amounts.get(resource, 0) for container in self.containers]
        found = [self._request(index, resource, class_name, count) for index, count in enumerate(lasting) if count]
        largest, largest_index = 0, -1
        for index, container in enumerate(self.containers):
            if container.is_brief:
                extra = container.amounts.get(resource, 0) - sum(lasting[index:])
                if extra > largest:
                    largest, largest_index = extra, index
        if largest:
            found.append(self._request(largest_index, resource, class_name, largest))
        return found

    def _request(self, index: int, resource: str, class_name: str, count: int) -> DeviceRequest:
        position = sorted(self.containers[index].amounts).index(resource)
        name = f"container-{index}-request-{position}"
        wish = DeviceWish(name, class_name, EXACT_COUNT, count, admin_access=False, selectors=(), tolerations=(), capacity={})
        return DeviceRequest(name, (wish,), is_list=False)


def extended_requests(pod: JSONObject, namespace: str, classes: Mapping[str, DeviceClass]) -> ExtendedRequests | None:
    """A pod's requests for resources among `classes`; `None` if it has none, or zero of them."""
    spec = part(pod, "spec")
    containers = (*_containers(spec, "initContainers"), *_containers(spec, "containers"))
    overhead = _amounts(part(spec, "overhead"))
    asked = {
        name for amounts in (*(container.amounts for container in containers), overhead) for name, count in amounts.items() if count > 0
    }
    mapped = {name: classes[name] for name in sorted(asked) if name in classes}
    return ExtendedRequests(namespace, containers, mapped) if mapped else None


def _containers(spec: JSONObject, key: str) -> Sequence[Container]:
    """Containers as the API server stores them: missing requests are filled in from limits."""
    return tuple(
        Container(
            _amounts(part(item, "resources", "limits") | part(item, "resources", "requests")),
            is_brief=key == "initContainers" and text(item, "restartPolicy") != "Always",
        )
        for item in items(spec, key)
    )


def _amounts(stated: JSONObject) -> dict[str, int]:
    read = ((name, amount(value)) for name, value in stated.items())
    return {name: 0 if found is None else found.value() for name, found in read}
