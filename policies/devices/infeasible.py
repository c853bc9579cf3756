"""Proves that a search can't succeed, for searches that were given up.

Taking devices for one request never helps another. So a request that can't be met on the unused node can't be met at all, and neither can
requests that together need more devices than there are. This isn't true if the allocator's memory matters: with counters that a second
share of a device doesn't draw on again, and with counters of two pools with the same name. Then nothing is proved. Distinct constraints,
which have such a memory too, are ignored: what can't be met without them can't be met with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.devices.candidates import Offer, WantedDevices
from weighbridge.policies.devices.claims import AttributeRule
from weighbridge.policies.devices.outcomes import AllocationError
from weighbridge.policies.devices.search import DeviceSearch, GivenUpError, SearchStep
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.server_release import release

#: The steps of a search for a single request.
_STEPS: Final = 5_000


def is_infeasible(claims: Sequence[Sequence[Sequence[WantedDevices]]], rules: Sequence[Sequence[AttributeRule]], offer: Offer) -> bool:
    """Whether the claims certainly can't be met together on the node."""
    if _has_odd_counters(offer) or _mixes_alternatives(claims) or _could_abort(claims, rules, offer):
        return False
    lasting = [[rule for rule in of_claim if not rule.is_distinct] for of_claim in rules]
    if any(
        all(not _can_be_met(wanted, of_claim, offer) for wanted in wishes)
        for requests, of_claim in zip(claims, lasting, strict=True)
        for wishes in requests
    ):
        return True
    return _are_too_many([wishes for requests in claims for wishes in requests], offer)


def _could_abort(claims: Sequence[Sequence[Sequence[WantedDevices]]], rules: Sequence[Sequence[AttributeRule]], offer: Offer) -> bool:
    """Whether a search could end in an error, which would be about the pod instead of the node."""
    for requests, of_claim in zip(claims, rules, strict=True):
        for wanted in (wanted for wishes in requests for wanted in wishes):
            if wanted.is_all and of_claim:
                return True
            try:
                for candidate in offer.candidates:
                    if offer.suits(wanted, candidate):
                        offer.ever_has_capacity(wanted, candidate)
            except AllocationError:
                return True
    return False


def _mixes_alternatives(claims: Sequence[Sequence[Sequence[WantedDevices]]]) -> bool:
    """Whether an alternative may use the devices found for another one."""
    alternatives = (wanted for requests in claims for wishes in requests for wanted in wishes[1:])
    return not release().keeps_alternatives_apart and any(wanted.is_all for wanted in alternatives)


def _has_odd_counters(offer: Offer) -> bool:
    counted = [pool.counted_as for pool in offer.pools if pool.counter_sets]
    if len(counted) != len(set(counted)):
        return True
    return any(candidate.device.allows_multiple and candidate.device.consumes for candidate in offer.candidates)


def _can_be_met(wanted: WantedDevices, rules: Sequence[AttributeRule], offer: Offer) -> bool:
    """Whether a wish can be met, or may be, if it is the only one."""
    try:
        return DeviceSearch(offer, [[[replace(wanted, claim_index=0)]]], [rules], _STEPS).run() is SearchStep.DONE
    except GivenUpError:
        return True


def _are_too_many(requests: Sequence[Sequence[WantedDevices]], offer: Offer) -> bool:
    """Whether the requests for whole devices need more of them than there are."""
    needed, usable = 0, set()
    for wishes in requests:
        if any(wanted.wish.admin_access for wanted in wishes):
            continue
        found = {
            candidate
            for wanted in wishes
            for candidate in offer.candidates
            if offer.suits(wanted, candidate) and offer.can_ever_serve(wanted, candidate)
        }
        if not any(candidate.device.allows_multiple for candidate in found):
            needed += min(wanted.count for wanted in wishes)
            usable |= found
    return needed > len(usable)
