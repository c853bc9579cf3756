"""The candidates of a node for a request: the devices that can satisfy it if none is taken.

Both sides are fixed during a search, so every question is answered once. A device is judged by the selectors of the class, then by those of
the request, then by its own node selection. Source: k8s.io/dynamic-resource-allocation v0.36, allocator_incubating.go
(validateDeviceRequest, isSelectable).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.devices.allocated import Allocated
from weighbridge.policies.devices.capacity import CapacityError, fits
from weighbridge.policies.devices.claims import ALL, EXACT_COUNT, Claim, DeviceRequest, DeviceWish
from weighbridge.policies.devices.classes import DeviceClass
from weighbridge.policies.devices.node_selection import UnreadableSelectorError
from weighbridge.policies.devices.outcomes import AllocationError
from weighbridge.policies.devices.pools import Pool
from weighbridge.policies.devices.selectors import COMPILE_ERROR, Selectors
from weighbridge.policies.devices.slices import Device, Slice
from weighbridge.policies.facts.node import Node
from weighbridge.policies.facts.tolerations import untolerated
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.server_release import release

_MAX_INT64: Final = 2**63 - 1
_HINT: Final = ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional fields"


@dataclass(frozen=True, slots=True, eq=False)
class DeviceCandidate:
    """A device that the node can reach; `is_held` says that an allocated claim has it alone."""

    device: Device
    slice: Slice
    pool: Pool
    is_held: bool


@dataclass(slots=True, eq=False)
class WantedDevices:
    """A wish of a claim on one node: how many devices, or which ones if all are wanted."""

    claim_index: int
    claim: Claim
    request: DeviceRequest
    wish: DeviceWish
    device_class: DeviceClass
    count: int = 0
    everything: list[DeviceCandidate] = field(default_factory=list)
    answers: dict[DeviceCandidate, bool] = field(default_factory=dict)
    chances: dict[DeviceCandidate, bool] = field(default_factory=dict)

    @property
    def is_all(self) -> bool:
        """Whether all devices are wanted."""
        return self.wish.mode == ALL

    @property
    def subrequest(self) -> str:
        """The name within the request's list, or empty."""
        return self.wish.name if self.request.is_list else ""


class Offer:
    """The pools of one node, and the wishes that its devices can serve."""

    def __init__(self, node: Node, pools: tuple[Pool, ...], allocated: Allocated, selectors: Selectors) -> None:
        self.node = node
        self.pools = pools
        self.allocated = allocated
        self._selectors = selectors
        #: The devices in the order in which they are tried.
        self.candidates = [
            DeviceCandidate(device, found, pool, device.id in allocated.whole)
            for pool in pools
            if not pool.is_passed_over
            for found in pool.slices
            for device in found.devices
        ]

    def wanted_by(self, claim_index: int, claim: Claim, request: DeviceRequest, classes: Mapping[str, DeviceClass]) -> list[WantedDevices]:
        """The wishes of a request, with the devices that they want on this node. Raises AllocationError."""
        apart = release().keeps_alternatives_apart
        noted: dict[DeviceCandidate, bool] = {}
        found: list[WantedDevices] = []
        for number, wish in enumerate(request.wishes):
            # Before 1.36 the answers found for the first wish are used for the second one too.
            answers = noted if number < 2 and not apart else {}
            found.append(self._wanted(claim_index, claim, request, wish, classes.get(wish.class_name), answers))
        for wanted in found if not apart else ():
            wanted.answers = {}
        return found

    def _wanted(
        self,
        claim_index: int,
        claim: Claim,
        request: DeviceRequest,
        wish: DeviceWish,
        device_class: DeviceClass | None,
        answers: dict[DeviceCandidate, bool],
    ) -> WantedDevices:
        where = f"claim {claim}, request {wish.name}"
        for number, selector in enumerate(wish.selectors):
            if selector is None:
                raise AllocationError(f"{where}, selector #{number}: CEL expression empty (unsupported selector type?)")
        if not wish.class_name:
            raise AllocationError(f"{where}: missing device class name (unsupported request type?)")
        if device_class is None:
            missing = f'deviceclass.resource.k8s.io "{wish.class_name}" not found'
            raise AllocationError(f"{where}: could not retrieve device class {wish.class_name}: {missing}")
        wanted = WantedDevices(claim_index, claim, request, wish, device_class, answers=answers)
        if wish.mode == EXACT_COUNT:
            wanted.count = min(wish.count, _MAX_INT64)
        elif wish.mode == ALL:
            wanted.everything = self._everything(wanted, where)
            wanted.count = len(wanted.everything)
        else:
            raise AllocationError(f"{where}: unsupported count mode {wish.mode}")
        return wanted

    def _everything(self, wanted: WantedDevices, where: str) -> list[DeviceCandidate]:
        found: list[DeviceCandidate] = []
        for pool in self.pools:
            for is_bad, state in ((pool.is_incomplete, "being updated"), (pool.is_invalid, "invalid")):
                if is_bad:
                    raise AllocationError(f"{where}: asks for all devices, but resource pool {pool.id} is currently {state}")
            mine = (candidate for candidate in self.candidates if candidate.pool is pool)
            has_capacity = self.ever_has_capacity if release().waits_for_all_devices else self.has_capacity
            found += [candidate for candidate in mine if self.suits(wanted, candidate) and has_capacity(wanted, candidate)]
        return found

    def suits(self, wanted: WantedDevices, candidate: DeviceCandidate) -> bool:
        """Whether the wish's class and selectors choose the device. Raises AllocationError if that can't be decided."""
        answer = wanted.answers.get(candidate)
        if answer is None:
            answer = wanted.answers[candidate] = self._suits(wanted, candidate)
        return answer

    def _suits(self, wanted: WantedDevices, candidate: DeviceCandidate) -> bool:
        named = ((f"class {wanted.device_class.name}", wanted.device_class.selectors), (f"claim {wanted.claim}", wanted.wish.selectors))
        for where, selectors in named:
            for number, selector in enumerate(selectors):
                match = self._selectors.match(selector or "", candidate.device)
                if match.error:
                    raise AllocationError(f"{where}: selector #{number}{_failure(match.error, candidate.device)}")
                if not match.holds:
                    return False
        return not candidate.slice.selects_per_device or self._reaches(candidate.device)

    def _reaches(self, device: Device) -> bool:
        try:
            return device.nodes.matches(self.node)
        except UnreadableSelectorError as error:
            raise AllocationError(f"failed to parse node selector {device.nodes.selector}: {error}") from None

    def has_capacity(self, wanted: WantedDevices, candidate: DeviceCandidate) -> bool:
        """Whether the device has enough for the wish in addition to its present users."""
        device = candidate.device
        return fits(device.capacity, wanted.wish.capacity, self.allocated.capacity.of(device.id), {})

    def ever_has_capacity(self, wanted: WantedDevices, candidate: DeviceCandidate) -> bool:
        """Whether the device would have enough for the wish without other users. Raises AllocationError."""
        device = candidate.device
        try:
            return fits(device.capacity, wanted.wish.capacity, {}, {})
        except CapacityError as error:
            raise uncountable(wanted, device.id.device, error) from None

    def can_ever_serve(self, wanted: WantedDevices, candidate: DeviceCandidate) -> bool:
        """Whether a device for which `suits` has an answer could serve the wish if the pod took nothing else."""
        answer = wanted.chances.get(candidate)
        if answer is None:
            device = candidate.device
            is_free = wanted.wish.admin_access or not candidate.is_held
            answer = wanted.answers[candidate] and is_free and not untolerated(wanted.wish.tolerations, device.taints)
            answer = wanted.chances[candidate] = answer and self._may_have_capacity(wanted, candidate)
        return answer

    def _may_have_capacity(self, wanted: WantedDevices, candidate: DeviceCandidate) -> bool:
        try:
            return self.has_capacity(wanted, candidate)
        except CapacityError:
            # The search ends with this error when it comes to the device.
            return True


def uncountable(wanted: WantedDevices, device: str, error: CapacityError) -> AllocationError:
    """The error of a wish for an amount that can't be counted on a device."""
    return AllocationError(f"claim {wanted.claim}, request {wanted.wish.name}: checking capacity for device {device}: {error}")


def _failure(error: str, device: Device) -> str:
    """The error of a selector. An error of its evaluation names the device, and says what to do about a missing key."""
    if error.startswith(COMPILE_ERROR) or not release().names_devices:
        return f": {error}"
    return f" on device {device.id}: {error}{_HINT if 'no such key:' in error else ''}"
