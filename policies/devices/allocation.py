"""Allocates the claims of one pod on one node: checks them, then searches.

Source: k8s.io/dynamic-resource-allocation v0.36, allocator_incubating.go (Allocate).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from weighbridge.policies.devices.candidates import Offer, WantedDevices
from weighbridge.policies.devices.claims import AttributeRule, Claim
from weighbridge.policies.devices.classes import DeviceClass
from weighbridge.policies.devices.infeasible import is_infeasible
from weighbridge.policies.devices.outcomes import CANNOT_ALLOCATE, INVALID_POOLS, TOO_MANY_COMBINATIONS, AllocationError
from weighbridge.policies.devices.search import MOST_DEVICES, DeviceSearch, GivenUpError, SearchStep
from weighbridge.policies.devices.slices import DeviceId
from weighbridge.policies.ground.quantity import QuantityError
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import release

#: After this number of steps, a proof is tried that the search can't succeed. Without one, the search continues.
_FIRST_STEPS: Final = 5_000
#: For each claim its requests, and for each request its wishes.
_Wanted: TypeAlias = list[list[list[WantedDevices]]]


@dataclass(frozen=True, slots=True)
class Picked:
    """One device of a solution; the request is named with its subrequest, if it has one."""

    claim: str
    request: str
    device: DeviceId


@dataclass(frozen=True, slots=True)
class Solution:
    """The result for a node: the devices, or the node's reason against the pod."""

    reason: str
    devices: tuple[Picked, ...] = ()


def allocate(claims: Sequence[Claim], offer: Offer, classes: Mapping[str, DeviceClass], steps: int) -> Solution:
    """Find devices for all claims in at most `steps` steps. Raises AllocationError if a claim, class or slice is wrong."""
    wanted = [_checked(index, claim, offer, classes) for index, claim in enumerate(claims)]
    rules = [[rule for rule in claim.constraints if rule is not None] for claim in claims]
    try:
        search, outcome = _search(wanted, rules, offer, steps)
    except GivenUpError:
        return Solution(TOO_MANY_COMBINATIONS)
    except QuantityError:
        # The amounts differ so much that their sum can't be written; no driver means that.
        return Solution(CANNOT_ALLOCATE)
    if outcome is SearchStep.TOO_LARGE:
        raise AllocationError("allocation max size exceeded")
    if outcome is SearchStep.FAILED:
        invalid = next((pool for pool in offer.pools if pool.is_invalid), None)
        if invalid is not None and not release().passes_over_bad_pools:
            # A search without a solution has reached each pool; one with a solution may not have, since pools have no order.
            raise AllocationError(f"pool {invalid.id.pool} is invalid: {invalid.invalid}")
        return Solution(CANNOT_ALLOCATE if invalid is None else INVALID_POOLS)
    return Solution("", tuple(_picked(item, candidate.device.id) for found in search.results for item, candidate in found))


def _search(wanted: _Wanted, rules: Sequence[Sequence[AttributeRule]], offer: Offer, steps: int) -> tuple[DeviceSearch, SearchStep]:
    """Search to the end. A long search may end by a proof that there is no solution."""
    search = DeviceSearch(offer, wanted, rules, min(steps, _FIRST_STEPS))
    try:
        return search, search.run()
    except GivenUpError:
        if is_infeasible(wanted, rules, offer):
            return search, SearchStep.FAILED
    search = DeviceSearch(offer, wanted, rules, steps)
    return search, search.run()


def _checked(index: int, claim: Claim, offer: Offer, classes: Mapping[str, DeviceClass]) -> list[list[WantedDevices]]:
    """The wishes of a claim's requests on this node, after the checks before a search."""
    found: list[list[WantedDevices]] = []
    least = 0
    for request in claim.requests:
        wishes = offer.wanted_by(index, claim, request, classes)
        more = min((wanted.count for wanted in wishes), default=0)
        if more > MOST_DEVICES - least and release().names_devices:
            excess = f"adding {more} devices exceeds the claim limit of {MOST_DEVICES}, with {least} already accounted for"
            raise AllocationError(f"claim {claim}, request {request.name}: {excess}")
        found.append(wishes)
        least += more
    if least > MOST_DEVICES:
        raise AllocationError(f"claim {claim}: number of requested devices {least} exceeds the claim limit of {MOST_DEVICES}")
    for number, rule in enumerate(claim.constraints):
        if rule is None:
            raise AllocationError(f"claim {claim}, constraint #{number}: empty constraint (unsupported constraint type?)")
    return found


def _picked(wanted: WantedDevices, device: DeviceId) -> Picked:
    request = f"{wanted.request.name}/{wanted.subrequest}" if wanted.subrequest else wanted.request.name
    return Picked(wanted.claim.name, request, device)
