"""The filter DynamicResources: the devices that a pod claims, and those of its extended resources.

`weighbridge.policies.devices` knows the devices and allocates them; this is the filter of a pod, which distinguishes unknown from refused.
Source: Kubernetes v1.36, pkg/scheduler/framework/plugins/dynamicresources.
"""

from __future__ import annotations

from collections.abc import Iterable

from weighbridge.policies.devices import NOT_AVAILABLE, ClaimRequests, DeviceRefusal, Devices, SchedulingAbortedError, Silent, slice_shapes
from weighbridge.policies.facts import Inventory, Node, ObjectStore
from weighbridge.policies.facts.inventory import Partition
from weighbridge.policies.ground.fields import items
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.placement import message
from weighbridge.policies.placement.distinctions import Distinctions
from weighbridge.policies.pods.admission import AdmittedPod

_GROUP = "resource.k8s.io"
# Slices and rules change rarely: results that depend only on them are kept while other kinds change.
_SLICES = ((_GROUP, "ResourceSlice"), (_GROUP, "DeviceTaintRule"))
_DEVICE_KINDS = (*_SLICES, *((_GROUP, kind) for kind in ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate")))


@dataclass(slots=True)
class PodDevices:
    """The device requests of one pod; empty for a pod without any.

    `silent` is what the scheduler waits for without a message, and `refusal` its message before it checks any node.
    """

    devices: Devices | None = None
    requests: ClaimRequests | None = None
    by_devices: frozenset[str] = frozenset()
    silent: str = ""
    refusal: str = ""
    unchecked: list[str] = field(default_factory=list)

    @property
    def is_wanted(self) -> bool:
        """Whether nodes have to be checked for devices."""
        return self.requests is not None and not self.requests.is_empty

    def check(self, node: Node) -> tuple[str, ...]:
        """The filter's reason. Raises `SchedulingAbortedError` if the scheduler gives up the whole pod."""
        if self.devices is None or self.requests is None:
            return ()
        reason = self.devices.allocate(self.requests, node)
        return () if reason is None else (reason,)

    def allows(self, node: Node) -> bool:
        """Whether the filter would accept a node that may be added. A node doesn't help if the scheduler would give up the pod."""
        try:
            return not self.check(node)
        except SchedulingAbortedError:
            return False

    def partition(self, inventory: Inventory) -> Partition:
        """The nodes by shape, and by their devices as the pod sees them."""
        if self.devices is None or self.requests is None:
            return inventory.by_shape
        return self.devices.partition(self.requests, inventory)

    def distinguish(self, distinctions: Distinctions) -> None:
        """Add what distinguishes nodes: whether the allocated claims can be used there."""
        for claim in self.requests.claims if self.requests is not None else ():
            if claim.allocation is not None and claim.allocation.selector is not None:
                distinctions.add_terms(claim.allocation.selector.terms)

    def last_word(self, refused: Iterable[tuple[Node, tuple[str, ...]]]) -> str:
        """The plugin's text if no node is left. It says so if an unused allocation that kept the pod off a node is removed."""
        if self.requests is None or self.requests.is_empty:
            return message.NO_CLAIMS
        unused = [claim.allocation for claim in self.requests.claims if claim.allocation is not None and not claim.consumers]
        for node, reasons in refused:
            for allocation in unused if reasons == (NOT_AVAILABLE,) else ():
                if allocation.selector is None or not allocation.selector.matches(node):
                    return message.DEALLOCATED
        return message.STILL_UNSCHEDULABLE

    def binding_error(self, nodes: Iterable[Node]) -> str:
        """Why the pod couldn't be bound to any of the nodes that fit it; empty if it could."""
        error = ""
        for node in nodes if self.devices is not None else ():
            if self.devices is None or self.requests is None:
                break
            error = self.devices.binding_error(self.requests, node)
            if not error:
                break
        return error


def pod_devices(pod: AdmittedPod, store: ObjectStore) -> PodDevices:
    """Look up the device requests of a pod. Raises `SchedulingAbortedError`."""
    has_claims = bool(items(pod.spec, "resourceClaims"))
    extended = [name for name in pod.requests if "/" in name]
    if not has_claims and not (extended and any(True for _ in store.list(_GROUP, "DeviceClass"))):
        return PodDevices()
    devices = _devices(store)
    by_devices = frozenset(name for name in extended if devices.extended(name) is not None)
    if not has_claims and not by_devices:
        return PodDevices()
    found = PodDevices(devices, by_devices=by_devices)
    wanted = devices.requests_of(pod.as_object(), pod.namespace)
    if isinstance(wanted, Silent):
        if wanted.is_certain:
            found.silent = wanted.why
        else:
            found.unchecked.append(f"resource claims: {wanted.why}, but not all objects of its kind are known")
    elif isinstance(wanted, DeviceRefusal):
        if wanted.is_certain:
            found.refusal = wanted.text
        else:
            found.unchecked.append(f"resource claims: {wanted.text}, as far as is known")
    elif store.knows_all(_GROUP, "ResourceSlice"):
        found.requests = wanted
        found.unchecked += wanted.unchecked
        if not wanted.is_empty and not store.knows_all(_GROUP, "ResourceClaim"):
            found.unchecked.append("devices: whether other pods' claims hold some isn't known")
    elif not wanted.is_empty:
        found.unchecked.append("devices: the cluster's ResourceSlices aren't known")
    return found


def _devices(store: ObjectStore) -> Devices:
    """The devices of a cluster. Its store remembers results about them, not the store that is put over it for one request."""
    held = store.beneath(_DEVICE_KINDS)
    return held.once(_DEVICE_KINDS, Devices, lambda: Devices.of(held, held.once(_SLICES, slice_shapes, lambda: slice_shapes(held))))
