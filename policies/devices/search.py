"""The search for devices: first fit with backtracking, over claims, their requests, and the devices of each request.

Devices are tried in the allocator's order, so that the first solution is its first solution. Within one request devices are taken in
ascending order, so sets of devices are tried, not sequences. Unlike the allocator, which goes on until its time is up, the search counts
its steps and gives up. It also skips branches with too few devices left. Source: k8s.io/dynamic-resource-allocation v0.36,
allocator_incubating.go (allocateOne, allocateDevice).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from enum import Enum, auto
from typing import Any, Final, TypeAlias

from weighbridge.policies.devices.allocated import Ledger
from weighbridge.policies.devices.candidates import DeviceCandidate, Offer, WantedDevices, uncountable
from weighbridge.policies.devices.capacity import CapacityError, consumption, fits
from weighbridge.policies.devices.claims import AttributeRule
from weighbridge.policies.devices.constraints import constraint_for
from weighbridge.policies.devices.counters import CounterLedger
from weighbridge.policies.devices.outcomes import AllocationError
from weighbridge.policies.devices.slices import Device
from weighbridge.policies.facts.tolerations import untolerated
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import release

#: The most devices in the allocation of one claim.
MOST_DEVICES: Final = 32


class SearchStep(Enum):
    """The result of a part of the search; `TOO_LARGE` if it would need more devices than a claim can list."""

    DONE = auto()
    FAILED = auto()
    TOO_LARGE = auto()


#: A part of the search: it yields the next part, and is sent its result.
_Part: TypeAlias = Generator[Any, SearchStep, SearchStep]


class GivenUpError(Exception):
    """The search took more steps than it may."""


@dataclass(slots=True)
class _Taken:
    """The changes of taking a device, so that they can be undone."""

    wanted: WantedDevices
    candidate: DeviceCandidate
    has_drawn: bool = False
    constraints: int = 0
    is_marked: bool = False
    consumed: dict[str, Quantity] | None = None
    was_shared: bool = False
    is_listed: bool = False


class DeviceSearch:
    """One search on one node; `claims` has for each claim its requests, and for each request its wishes."""

    def __init__(
        self, offer: Offer, claims: Sequence[Sequence[Sequence[WantedDevices]]], rules: Sequence[Sequence[AttributeRule]], steps: int
    ) -> None:
        self._offer = offer
        self._claims = claims
        self._constraints = [[constraint_for(rule) for rule in of_claim] for of_claim in rules]
        # The answer of a distinct constraint depends on what has been tried before, so with one everything must be tried.
        self._may_skip = not any(rule.is_distinct for of_claim in rules for rule in of_claim)
        self._steps = steps
        self._taking: dict[DeviceCandidate, set[int]] = {}
        self._capacity = Ledger()
        self._counters = CounterLedger(offer.allocated)
        #: The devices that have been taken for each claim.
        self.results: list[list[tuple[WantedDevices, DeviceCandidate]]] = [[] for _ in claims]

    def run(self) -> SearchStep:
        """Search to the end. Raises GivenUpError, and AllocationError if a claim or class turns out to be wrong."""
        parts: list[_Part] = [self._request(0, 0)]
        outcome: SearchStep | None = None
        while parts:
            try:
                parts.append(parts[-1].send(outcome) if outcome is not None else next(parts[-1]))
                outcome = None
            except StopIteration as end:
                parts.pop()
                outcome = end.value
        assert outcome is not None  # noqa: S101 - there is at least one part
        return outcome

    def _count_step(self) -> None:
        self._steps -= 1
        if self._steps < 0:
            raise GivenUpError

    # --- claims and requests ---

    def _request(self, claim_index: int, request_index: int) -> _Part:
        """Search for a request of a claim and all requests after it."""
        self._count_step()
        if claim_index >= len(self._claims):
            return SearchStep.DONE
        requests = self._claims[claim_index]
        if request_index >= len(requests):
            outcome: SearchStep = yield self._request(claim_index + 1, 0)
            # Another choice for this claim wouldn't make the next one smaller, unless this claim's choice is taken back.
            return SearchStep.FAILED if outcome is SearchStep.TOO_LARGE else outcome
        wishes = requests[request_index]
        if not wishes[0].request.is_list:
            single: SearchStep = yield self._devices(wishes[0], request_index, 0, 0)
            return single
        are_too_large = True
        for wanted in wishes:
            outcome = yield self._devices(wanted, request_index, 0, 0)
            if outcome is SearchStep.DONE:
                return outcome
            are_too_large = are_too_large and outcome is SearchStep.TOO_LARGE
        return SearchStep.TOO_LARGE if are_too_large else SearchStep.FAILED

    # --- devices ---

    def _devices(self, wanted: WantedDevices, request_index: int, index: int, start: int) -> _Part:
        """Search for the devices of a wish from the `index`-th on, among candidates from `start` on, and for all requests after it."""
        self._count_step()
        if wanted.is_all and not wanted.everything:
            return SearchStep.FAILED
        if index >= wanted.count:
            rest: SearchStep = yield self._request(wanted.claim_index, request_index + 1)
            return rest
        missing = wanted.count - index
        if len(self.results[wanted.claim_index]) + missing > MOST_DEVICES:
            return SearchStep.TOO_LARGE
        if wanted.is_all:
            outcome: SearchStep = yield self._next_of_all(wanted, request_index, index)
            return outcome
        position = start
        while position < len(self._offer.candidates) and not (self._may_skip and self._has_too_few(wanted, position, missing)):
            taken, position = self._next_usable(wanted, position)
            if taken is None:
                break
            outcome = yield self._devices(wanted, request_index, index + 1, position)
            if outcome is SearchStep.DONE:
                return outcome
            self._give_back(taken)
            if outcome is SearchStep.TOO_LARGE:
                return outcome
        return SearchStep.FAILED

    def _next_of_all(self, wanted: WantedDevices, request_index: int, index: int) -> _Part:
        """Take the next of all devices; without it there is no solution."""
        taken = self._take(wanted, wanted.everything[index])
        if taken is None:
            return SearchStep.FAILED
        following = wanted if release().keeps_alternatives_apart else self._claims[wanted.claim_index][request_index][0]
        outcome: SearchStep = yield self._devices(following, request_index, index + 1, 0)
        if outcome is not SearchStep.DONE:
            self._give_back(taken)
        return outcome

    def _next_usable(self, wanted: WantedDevices, start: int) -> tuple[_Taken | None, int]:
        """Take the first device from `start` on that can be taken, if there is one. Also returns where the next search begins."""
        for position in range(start, len(self._offer.candidates)):
            self._count_step()
            candidate = self._offer.candidates[position]
            if self._is_in_use(wanted, candidate) or not self._offer.suits(wanted, candidate) or not self._has_room(wanted, candidate):
                continue
            taken = self._take(wanted, candidate)
            if taken is not None:
                return taken, position + 1
        return None, len(self._offer.candidates)

    def _has_too_few(self, wanted: WantedDevices, start: int, missing: int) -> bool:
        """Whether the wish certainly can't be met from `start` on; no further device is judged for that."""
        for position in range(start, len(self._offer.candidates)):
            candidate = self._offer.candidates[position]
            if self._is_in_use(wanted, candidate):
                continue
            if candidate not in wanted.answers:
                return False
            if self._offer.can_ever_serve(wanted, candidate):
                missing -= 1
                if missing <= 0:
                    return False
        return True

    def _is_in_use(self, wanted: WantedDevices, candidate: DeviceCandidate) -> bool:
        users = self._taking.get(candidate)
        if wanted.wish.admin_access:
            return users is not None and wanted.claim_index in users
        return bool(users) or candidate.is_held

    def _has_room(self, wanted: WantedDevices, candidate: DeviceCandidate) -> bool:
        device = candidate.device
        taken = self._offer.allocated.capacity.of(device.id)
        try:
            return fits(device.capacity, wanted.wish.capacity, taken, self._capacity.of(device.id))
        except CapacityError as error:
            raise uncountable(wanted, str(device.id), error) from None

    # --- taking and giving back ---

    def _take(self, wanted: WantedDevices, candidate: DeviceCandidate) -> _Taken | None:
        """Take a device if it is free and untainted and its shared counters and capacity suffice. Raises AllocationError."""
        device = candidate.device
        if self._is_in_use(wanted, candidate):
            return None
        taken = _Taken(wanted, candidate)
        if device.consumes and not (device.allows_multiple and self._is_shared(device)):
            if not self._counters.draw(device, candidate.pool):
                return None
            taken.has_drawn = True
        if untolerated(wanted.wish.tolerations, device.taints) or not self._satisfies(taken):
            self._give_back(taken)
            return None
        if not device.allows_multiple:
            self._taking.setdefault(candidate, set()).add(wanted.claim_index)
            taken.is_marked = True
        if not self._has_room(wanted, candidate):
            self._give_back(taken)
            return None
        if device.allows_multiple:
            taken.was_shared = device.id in self._capacity
            taken.consumed = consumption(device.capacity, wanted.wish.capacity)
            self._capacity.add(device.id, taken.consumed)
        taken.is_listed = True
        self.results[wanted.claim_index].append((wanted, candidate))
        return taken

    def _is_shared(self, device: Device) -> bool:
        """Whether a share of the device has drawn from the counters already."""
        held = self._offer.allocated
        return device.id in held.capacity or device.id in self._capacity or (release().counts_shares_once and device.id in held.shared)

    def _satisfies(self, taken: _Taken) -> bool:
        wanted, device = taken.wanted, taken.candidate.device
        for constraint in self._constraints[wanted.claim_index]:
            if not constraint.add(wanted.request.name, wanted.subrequest, device):
                if wanted.is_all:
                    reason = f"cannot add device {device.id} because a claim constraint would not be satisfied"
                    raise AllocationError(f"claim {wanted.claim}, request {wanted.wish.name}: {reason}")
                return False
            taken.constraints += 1
        return True

    def _give_back(self, taken: _Taken) -> None:
        wanted, device = taken.wanted, taken.candidate.device
        if taken.is_listed:
            self.results[wanted.claim_index].pop()
        if taken.consumed is not None:
            self._capacity.take_back(device.id, taken.consumed)
            if taken.was_shared:
                # An entry without amounts means that there is an earlier share.
                self._capacity.amounts.setdefault(device.id, {})
        if taken.is_marked:
            self._taking[taken.candidate].discard(wanted.claim_index)
        for constraint in reversed(self._constraints[wanted.claim_index][: taken.constraints]):
            constraint.remove(wanted.request.name, wanted.subrequest)
        if taken.has_drawn:
            self._counters.give_back(device, taken.candidate.pool)
