"""The devices of a cluster, and whether a node has those that a pod claims.

It has the steps of the scheduler's plugin DynamicResources: `requests_of` is PreEnqueue and PreFilter, `allocate` is Filter, and
`binding_error` foresees PreBind. Source: kubernetes v1.36, scheduler/framework/plugins/dynamicresources/dynamicresources.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.devices import allocation
from weighbridge.policies.devices.admin_access import REFUSED, asks_for_admin_access, may_have_admin_access
from weighbridge.policies.devices.alike import NodesAlike, SliceShapes
from weighbridge.policies.devices.allocated import allocated_by
from weighbridge.policies.devices.allocation import Solution
from weighbridge.policies.devices.candidates import Offer
from weighbridge.policies.devices.claims import Claim, read_claim
from weighbridge.policies.devices.classes import classes_by_resource, read_class
from weighbridge.policies.devices.extended_resources import ExtendedRequests, extended_requests
from weighbridge.policies.devices.kept_fields import as_kept, kept_claim, kept_class, kept_slice
from weighbridge.policies.devices.node_selection import UnreadableSelectorError
from weighbridge.policies.devices.outcomes import (
    NOT_AVAILABLE,
    TOO_MANY_COMBINATIONS,
    AllocationError,
    DeviceRefusal,
    SchedulingAbortedError,
    Silent,
)
from weighbridge.policies.devices.pod_claims import GROUP, claims_of
from weighbridge.policies.devices.pools import PoolSelectionError, SliceIndex
from weighbridge.policies.devices.reads import attributes_read
from weighbridge.policies.devices.selectors import Selectors
from weighbridge.policies.devices.slices import read_slice
from weighbridge.policies.devices.taint_rules import taint_rules, tainted
from weighbridge.policies.facts.inventory import Inventory, Partition
from weighbridge.policies.facts.node import Node
from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.server_release import release

#: How many consumers a claim can have.
MOST_CONSUMERS: Final = 256
#: The steps of a search on the first node, and the fewest that later nodes get after many searches were given up.
_MOST_STEPS: Final = 100_000
_FEWEST_STEPS: Final = 2_000


@dataclass(slots=True)
class _Patience:
    """The number of steps for the next node. Each search that is given up halves it for this pod."""

    steps: int = _MOST_STEPS

    def shorten(self) -> None:
        self.steps = max(_FEWEST_STEPS, self.steps // 2)


@dataclass(frozen=True, slots=True, eq=False)
class ClaimRequests:
    """All device requests of a pod: its claims, and its extended resources that belong to classes.

    `unchecked` says what isn't known of them.
    """

    pod: str
    claims: tuple[Claim, ...]
    extended: ExtendedRequests | None
    unchecked: tuple[str, ...] = ()
    patience: _Patience = field(default_factory=_Patience)

    @property
    def is_empty(self) -> bool:
        """Whether the pod requests no devices."""
        return not self.claims and self.extended is None


class Devices:
    """Classes, slices and claims of one cluster at one time."""

    def __init__(self, store: ObjectStore, shapes: SliceShapes) -> None:
        self._store = store
        self._classes = {found.name: found for found in store.read(GROUP, "DeviceClass", as_kept(read_class, kept_class))}
        self._by_resource = classes_by_resource(self._classes.values()) if release().maps_extended_resources else {}
        self._slices = shapes.index
        self._allocated = allocated_by(store.read(GROUP, "ResourceClaim", as_kept(read_claim, kept_claim)))
        self._alike = NodesAlike(shapes, self._allocated)
        self._selectors = Selectors()
        self._offers: dict[str, Offer] = {}

    @classmethod
    def of(cls, store: ObjectStore, shapes: SliceShapes | None = None) -> Devices:
        """The devices in a store; later changes to it aren't seen. `shapes` are those of its slices, if they are known."""
        return cls(store, shapes or slice_shapes(store))

    def partition(self, requests: ClaimRequests, inventory: Inventory) -> Partition:
        """The nodes by shape, and by their devices as these requests see them."""
        return self._alike.partition(inventory, apart=self._looks_at_own(requests))

    def _looks_at_own(self, requests: ClaimRequests) -> bool:
        """Whether requests read attributes that are each device's own, so that all devices must be distinguished."""
        looked_at = {rule.attribute.rpartition("/")[2] for claim in requests.claims for rule in claim.constraints if rule is not None}
        for class_name, selectors in _selectors_of(requests):
            device_class = self._classes.get(class_name)
            for text in (*selectors, *(device_class.selectors if device_class is not None else ())):
                names = attributes_read(text or "")
                if names is None:
                    return True
                looked_at |= names
        return self._alike.tells_apart(looked_at)

    @property
    def knows_all(self) -> bool:
        """Whether all slices and claims of the cluster are known, so that a device that a node lacks is really missing."""
        return all(self._store.knows_all(GROUP, kind) for kind in ("ResourceSlice", "ResourceClaim"))

    def extended(self, resource: str) -> str | None:
        """The class of an extended resource."""
        found = self._by_resource.get(resource)
        return None if found is None else found.name

    def requests_of(self, pod: JSONObject, namespace: str) -> ClaimRequests | DeviceRefusal | Silent:
        """The pod's requests, or the reason why no node is checked. Raises SchedulingAbortedError."""
        claims = claims_of(pod, namespace, self._store)
        if isinstance(claims, Silent):
            return claims
        wants_access = any(claim.is_new and asks_for_admin_access(claim) for claim in claims)
        has_access = may_have_admin_access(namespace, self._store) if wants_access else True
        if has_access is False:
            return Silent(REFUSED, is_certain=True)
        for claim in claims:
            refusal = self._refusal_of(claim)
            if refusal is not None:
                return refusal
        unchecked = (f"admin access to devices: the labels of namespace {namespace} aren't known",) if has_access is None else ()
        extended = extended_requests(pod, namespace, self._by_resource)
        return ClaimRequests(f"{namespace}/{name_of(pod)}", tuple(claims), extended, unchecked)

    def _refusal_of(self, claim: Claim) -> DeviceRefusal | None:
        if claim.allocation is not None:
            return None
        for request in claim.requests:
            if not request.wishes:
                return DeviceRefusal(f"resource claim {claim}, request {request.name}: unknown request type")
            for wish in request.wishes:
                name = f"{request.name}/{wish.name}" if request.is_list else request.name
                if not wish.class_name:
                    raise SchedulingAbortedError(f'running PreFilter plugin "DynamicResources": request {name}: unsupported request type')
                if wish.class_name not in self._classes:
                    certain = self._store.knows_all(GROUP, "DeviceClass")
                    return DeviceRefusal(f"request {name}: device class {wish.class_name} does not exist", certain)
        return None

    def allocate(self, requests: ClaimRequests, node: Node) -> str | None:
        """The node's reason against the pod, or `None` if its claims can be met. Raises SchedulingAbortedError."""
        return self.solve(requests, node).reason or None

    def solve(self, requests: ClaimRequests, node: Node) -> Solution:
        """The devices that the pod would get on a node, or the node's reason against it. Raises SchedulingAbortedError."""
        extra, needs_devices = requests.extended.claim_for(node.amounts) if requests.extended is not None else (None, False)
        if not requests.claims and not needs_devices:
            return Solution("")
        claims = [claim for claim in requests.claims if claim.allocation is None] + ([] if extra is None else [extra])
        solution = Solution("")
        if claims:
            try:
                solution = allocation.allocate(claims, self._offer(node), self._classes, requests.patience.steps)
            except (AllocationError, PoolSelectionError) as error:
                raise SchedulingAbortedError(f'running "DynamicResources" filter plugin: {error}') from None
        if solution.reason == TOO_MANY_COMBINATIONS:
            requests.patience.shorten()
        if not solution.reason and not all(_is_available(claim, node) for claim in requests.claims):
            return Solution(NOT_AVAILABLE)
        return solution

    def binding_error(self, requests: ClaimRequests, node: Node) -> str:
        """Why the pod couldn't be bound to a node although its claims can be met there; mostly empty."""
        for claim in requests.claims:
            if claim.allocation is not None and claim.consumers >= MOST_CONSUMERS:
                limit = f"status.reservedFor: Too many: {claim.consumers + 1}: must have at most {MOST_CONSUMERS} items"
                invalid = f'ResourceClaim.resource.k8s.io "{claim.name}" is invalid: {limit}'
                return f'running PreBind plugin "DynamicResources": add reservation to claim {claim}: {invalid}'
        if requests.claims and requests.extended is not None and not requests.extended.claim_for(node.amounts)[1]:
            reason = f"nil or empty request mappings, no update of pod {requests.pod} ExtendedResourceClaimStatus"
            return f'running PreBind plugin "DynamicResources": {reason}'
        return ""

    def _offer(self, node: Node) -> Offer:
        known = self._offers.get(node.name)
        if known is None or known.node is not node:
            known = self._offers[node.name] = Offer(node, self._slices.pools_for(node), self._allocated, self._selectors)
        return known


def slice_shapes(store: ObjectStore) -> SliceShapes:
    """The shapes of the nodes' slices, as the store knows them now, with the taints of rules."""
    slices = store.read(GROUP, "ResourceSlice", as_kept(read_slice, kept_slice))
    return SliceShapes(SliceIndex(tainted(slices, taint_rules(store))))


def _selectors_of(requests: ClaimRequests) -> Iterator[tuple[str, Sequence[str | None]]]:
    """The classes that a pod requests, each with the selectors of the request."""
    for claim in requests.claims:
        for wish in (wish for request in claim.requests for wish in request.wishes):
            yield wish.class_name, wish.selectors
    for device_class in requests.extended.classes.values() if requests.extended is not None else ():
        yield device_class.name, ()


def _is_available(claim: Claim, node: Node) -> bool:
    """Whether an allocated claim can be used on a node."""
    if claim.allocation is None:
        return True
    if any(device.binding_has_failed for device in claim.allocation.devices):
        return False
    selector = claim.allocation.selector
    try:
        return selector is None or selector.matches(node)
    except UnreadableSelectorError as error:
        raise SchedulingAbortedError(f'running PreFilter plugin "DynamicResources": {error}') from None
