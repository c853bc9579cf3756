"""Where the pods of a request's object could run. For a workload these are its own pods, for a family's object the predicted ones.

The pods are placed with their claims as the scheduler will find them: claims that are created together with the pods, and claims in other
manifests of the same run, are first bound if controllers bind them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, TypeAlias, TypeVar

from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts, Node
from weighbridge.policies.facts.expected import nodes_to_come
from weighbridge.policies.ground.cautions import Caution
from weighbridge.policies.ground.content import content_of
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.findings import Outlook, PodPlacement, Unchecked
from weighbridge.policies.ground.objects import JSONObject, JSONValue, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.placement.asked import READ, READ_WITH_AUTOSCALERS, READ_WITH_CLAIMS, asked_by
from weighbridge.policies.placement.fitting_nodes import cautions, needs_caution
from weighbridge.policies.placement.outcome import NoNodeChecked, Placement, Reason
from weighbridge.policies.placement.paused_nodes import paused_nodes
from weighbridge.policies.placement.placement import place, some_node_takes
from weighbridge.policies.placement.replicas import Sharing, apart, shared_claims
from weighbridge.policies.placement.shapes import Verdicts
from weighbridge.policies.placement.volumes.claims import is_new
from weighbridge.policies.placement.volumes.new_claims import bind
from weighbridge.policies.placement.wordings import NO_ROOM, NONE_FREE
from weighbridge.policies.pods.requests import counts, of_pod
from weighbridge.policies.pods.security.standard import UNENFORCED, Standard, standards_for, standards_in
from weighbridge.policies.pods.workloads import claims_of, pods_of, replicas_of, without_claims

_CLAIM = "PersistentVolumeClaim"
_VALIDATED = "Deployment"
#: A workload with its pods, by their roles.
_Made: TypeAlias = tuple[JSONObject, Mapping[str, JSONObject]]
#: A placement, its form for reports, and what couldn't be checked.
Placed: TypeAlias = tuple[Placement, PodPlacement, Sequence[Unchecked]]
#: A placement with more groups of nodes isn't remembered.
_MOST_GROUPS: Final = 64
_NO_PODS: Final[Mapping[str, JSONObject]] = {}
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class WithClaims:
    """The facts with new claims as the scheduler will find them; `unknown` has claims that can't be predicted, and why."""

    facts: Facts
    unknown: frozenset[str] = frozenset()
    unchecked: Sequence[str] = ()

    def place(self, pod: JSONObject, namespace: str, config: Configuration, replicas: int = 1) -> Placement:
        """Where a pod could run. If its claims prevent a placement, `apart_from_claims` has the placement without them."""
        asked = without_claims(pod, self.unknown)

        def expected() -> Iterator[Node]:
            yield from config.declared_nodes
            yield from nodes_to_come(self.facts, asked)

        enforced = _enforced(asked, self.facts, config, namespace)
        placement = place(asked, self.facts, namespace=namespace, expected=expected(), replicas=replicas, enforced=enforced)
        placement.unchecked.extend(self.unchecked)
        unusable = {*placement.absent, *placement.unready}
        if not unusable:
            return placement
        apart_from_claims = place(without_claims(asked, unusable), self.facts, namespace=namespace, expected=expected())
        return replace(placement, apart_from_claims=apart_from_claims)


def with_claims(pods: Iterable[JSONObject], made: Iterable[JSONObject], facts: Facts, namespace: str) -> WithClaims:
    """The facts for placing pods that are created together with some claims.

    Claims among the facts that aren't stored yet count as created too.
    """
    claims = {name_of(claim): _within(claim, namespace) for claim in made}
    for pod in pods:
        for volume in items(pod, "spec", "volumes"):
            name = text(part(volume, "persistentVolumeClaim"), "claimName")
            found = facts.objects.get("", _CLAIM, namespace, name) if name else None
            if isinstance(found, dict) and is_new(found):
                claims[name] = found
    new = [claim for name, claim in claims.items() if not _is_stored(name, facts, namespace)]
    if not new:
        return WithClaims(facts)
    bound = bind(new, facts.objects)
    return WithClaims(facts.overlaid(bound.objects), bound.unknown, bound.unchecked)


def _is_stored(name: str, facts: Facts, namespace: str) -> bool:
    found = facts.objects.get("", _CLAIM, namespace, name)
    return isinstance(found, dict) and not is_new(found)


def _within(claim: JSONObject, namespace: str) -> JSONObject:
    return claim if namespace_of(claim) else {**claim, "metadata": {**metadata_of(claim), "namespace": namespace}}


def fits_now(request: Request, workloads: Iterable[JSONObject], facts: Facts, config: Configuration = DEFAULT) -> bool:
    """Whether all pods of a request surely find a node. This is cheaper than a whole placement, and remembered for the request.

    The store remembers it for all requests whose pods have equal requests. Predicted Deployments are only those that the API server
    accepts, so their pods are valid.
    """

    def ask() -> bool:
        asking = asked_of(request, workloads, facts, config)
        is_valid = all(workload is not request.object and workload.get("kind") == _VALIDATED for workload, own in asking.made if own)
        namespace = request.namespace or "default"

        def work_out() -> bool:
            return _surely_fit(asking.made, facts, config, namespace, is_valid=is_valid)

        return _once_for_all(asking, (fits_now, namespace, is_valid, asking.standard), work_out, facts)

    return request.once(fits_now, ask)


def _surely_fit(made: Sequence[_Made], facts: Facts, config: Configuration, namespace: str, *, is_valid: bool) -> bool:
    pods = [pod for _, own in made for pod in own.values()]
    known = with_claims(pods, claims_among(made), facts, namespace)
    several = [(workload, own) for workload, own in made if _mounts_claims(own.values()) and (replicas_of(workload) > 1 or len(own) > 1)]
    if several and (known.unchecked or any(_share_claims(*one, known.facts, namespace) for one in several)):
        # Each pod fits a node alone; several together may not.
        return False
    if any(needs_caution(pod, known.facts, facts, namespace) for pod in pods):
        # A pod may fit a node and not work there.
        return False
    is_known = bool(several)

    def is_taken(pod: JSONObject) -> bool:
        enforced = _enforced(pod, facts, config, namespace)
        return some_node_takes(pod, known.facts, namespace, is_valid=is_valid, is_known=is_known, enforced=enforced)

    return bool(pods) and all(is_taken(without_claims(pod, known.unknown)) for pod in pods)


def _enforced(pod: JSONObject, facts: Facts, config: Configuration, namespace: str) -> Standard:
    """The Pod Security Standard that a pod must satisfy."""
    return standards_for(pod, namespace_of(pod) or namespace, facts.objects, config.server_settings).enforce


def one_placed(
    workload: JSONObject,
    claims: Iterable[JSONObject],
    facts: Facts,
    config: Configuration,
    namespace: str,
    asking: Asking | None = None,
) -> Placement | None:
    """The placement of a single pod of a predicted workload, created with these claims; `None` if it surely finds a node.

    The store remembers it for all with equal requests. `asking` has the requests of the workload and the claims, if the caller has them.
    """
    if asking is None:
        asking = Asking([(workload, pods_of(workload)), *((claim, _NO_PODS) for claim in claims)], _standard(facts, config, namespace))
    pods = list(next(own for made, own in asking.made if made is workload).values())

    def fits() -> bool:
        known = with_claims(pods, claims_among(asking.made), facts, namespace)
        return bool(pods) and all(some_node_takes(without_claims(pod, known.unknown), known.facts, namespace) for pod in pods)

    def work_out() -> Placement:
        return with_claims(pods[:1], claims, facts, namespace).place(pods[0], namespace, config)

    if _once_for_all(asking, (one_placed, namespace), fits, facts):
        return None
    found = _shared(asking, (one_placed, namespace, "placement"), work_out, lambda found: _may_be_shared(found, facts), facts, config)
    return _of_pod(found, pods[0])


def placed(
    workloads: Iterable[JSONObject], facts: Facts, config: Configuration, namespace: str, request: Request | None = None
) -> Placed | None:
    """The placement of the pods of `workloads`; `None` if they have none.

    If there are several kinds of pods, the kind that finds no node decides. The store remembers it for all whose pods have equal
    requests. With a `request` these are the workloads of `fits_now`.
    """
    if request is not None:
        asking = asked_of(request, workloads, facts, config)
    else:
        asking = Asking([(workload, pods_of(workload)) for workload in workloads], _standard(facts, config, namespace))
    with_pods = [name_of(workload) for workload, own in asking.made if own]
    if not with_pods:
        return None
    # One of several workloads is named.
    names = tuple(with_pods) if len(with_pods) > 1 else ()

    def work_out() -> Placed:
        return _placed(asking.made, facts, config, namespace)

    found = _shared(asking, (placed, namespace, names), work_out, lambda found: _may_be_shared(found[0], facts), facts, config)
    if found[0].refusal is None or names:
        return found
    # The digest doesn't include the pod's name, but the refusal does.
    pod = next(own for _, own in asking.made if own)[found[1].pod]
    placement = _of_pod(found[0], pod)
    return placement, replace(found[1], message=placement.message), found[2]


def _of_pod(placement: Placement, pod: JSONObject) -> Placement:
    """The placement of an equal pod with another name."""
    if placement.refusal is None:
        return placement
    return replace(placement, message=placement.refusal(name_of(pod) or text(metadata_of(pod), "generateName")))


def _may_be_shared(placement: Placement, facts: Facts) -> bool:
    """Whether a placement is small enough to be remembered: a verdict may list each node."""
    apart = placement.apart_from_claims
    if apart is not None and (apart.refusal is not None or not _may_be_shared(apart, facts)):
        return False
    if placement.refusal is not None:
        return True
    nodes, inventory = placement.nodes, facts.inventory
    if isinstance(nodes, NoNodeChecked):
        return True
    if not isinstance(nodes, Verdicts) or inventory is None:
        return False
    return nodes.group_of is inventory.shape_of and len(nodes.groups) <= _MOST_GROUPS


def _placed(made: Sequence[_Made], facts: Facts, config: Configuration, namespace: str) -> Placed:
    pods = [(workload, name, pod) for workload, own in made for name, pod in own.items()]
    known = with_claims((pod for _, _, pod in pods), claims_among(made), facts, namespace)
    found: list[tuple[str, JSONObject, Placement]] = []
    doubts: list[Caution] = []
    is_one = len({id(workload) for workload, _, _ in pods}) == 1
    for workload, name, pod in pods:
        placement = known.place(pod, namespace, config, replicas_of(workload))
        own = set(map(name_of, claims_of(workload)))
        called = name if is_one else f"{name_of(workload)} {name}".strip()
        doubts += cautions(pod, placement, known.facts, facts, namespace, called)
        sharing = Sharing.of(workload, next(kinds for one, kinds in made if one is workload), pod)
        said = apart(pod, sharing, own, placement, known.facts, namespace)
        # This reason is about all kinds of pods that share the claim.
        called = called if not said or len(sharing.kinds) == 1 else "" if is_one else name_of(workload)
        found.append((called, pod, replace(placement, apart=said)))
    worst = (one for one in found if not one[2].fits), (one for one in found if one[2].apart), found
    called, pod, placement = next(chain(*worst))
    placement = replace(placement, cautions=tuple(dict.fromkeys(doubts)))
    outlook = _outlook(placement, pod, known, config, namespace)
    told = PodPlacement(placement.nodes, placement.message, placement.nearest, outlook, called)
    return placement, told, [Unchecked("placement", reason) for reason in placement.unchecked]


def outlook_of(workloads: Iterable[JSONObject], facts: Facts, config: Configuration, namespace: str) -> tuple[Outlook, str]:
    """The outlook of the pods of predicted workloads, and the scheduler's message why none runs now.

    The store remembers it for all whose pods have equal requests.
    """
    made = [(workload, pods_of(workload)) for workload in workloads]

    def work_out() -> tuple[Outlook, str]:
        is_valid = all(workload.get("kind") == _VALIDATED for workload, own in made if own)
        # Most pods find a node, and this check is cheaper than a whole placement.
        if _surely_fit(made, facts, config, namespace, is_valid=is_valid):
            return Outlook.NOW, ""
        found = placed([workload for workload, _ in made], facts, config, namespace)
        if found is None:
            return Outlook.NOW, ""
        return found[1].outlook, "; ".join(filter(None, (found[0].reasons, *found[0].nearest)))

    outlook, why = _once_for_all(Asking(made, _standard(facts, config, namespace)), (outlook_of, namespace), work_out, facts, config)
    # The API server's refusal names the pod.
    return work_out() if outlook is Outlook.REFUSED else (outlook, why)


class Asking:
    """Workloads with their pods, and a digest of their requests.

    `standard` is the Pod Security Standard that the pods must satisfy.
    """

    def __init__(self, made: Sequence[_Made], standard: Standard = UNENFORCED) -> None:
        self.made, self.standard = made, standard
        asked = asked_by_all(made, is_secured=not standard.is_free)
        self.content = content_of(asked)
        self.has_claims = any(claims for *_, claims in asked) or any(_mounts_claims(own.values()) for _, own in made)


def asked_of(request: Request, workloads: Iterable[JSONObject], facts: Facts, config: Configuration) -> Asking:
    """The requests of a request's workloads."""

    def ask() -> Asking:
        return Asking([(workload, pods_of(workload)) for workload in workloads], _standard(facts, config, request.namespace or "default"))

    return request.once(asked_of, ask)


def _standard(facts: Facts, config: Configuration, namespace: str) -> Standard:
    """The Pod Security Standard that a namespace enforces."""
    return standards_in(namespace, facts.objects, config.server_settings).enforce


def _shared(
    asking: Asking,
    key: tuple[Hashable, ...],
    work_out: Callable[[], _Result],
    may_be_shared: Callable[[_Result], bool],
    facts: Facts,
    config: Configuration,
) -> _Result:
    """The result of `work_out`, as by `_once_for_all`, but a large result isn't remembered."""
    fresh: list[_Result] = []

    def work_out_once() -> _Result | None:
        fresh.append(work_out())
        return fresh[0] if may_be_shared(fresh[0]) else None

    known = _once_for_all(asking, key, work_out_once, facts, config)
    if known is None:
        return next(iter(fresh), None) or work_out()
    return known


def _once_for_all(
    asking: Asking, key: tuple[Hashable, ...], work_out: Callable[[], _Result], facts: Facts, config: Configuration | None = None
) -> _Result:
    """The result of `work_out` for workloads, remembered by the store for all whose pods have equal requests.

    With a configuration it may depend on that and on what may add nodes; otherwise only on the present nodes and on what the scheduler
    reads of the cluster's objects.
    """
    if asking.content is None:
        return work_out()
    kinds: Sequence[tuple[str, str]]
    by: tuple[object, ...]
    if config is not None:
        kinds, by = READ_WITH_AUTOSCALERS, (facts.inventory, facts.former)
    else:
        kinds, by = (READ_WITH_CLAIMS if asking.has_claims else READ), (facts.inventory,)
    # The configuration is kept with the result, so that no other one can get its id.
    held = facts.objects.once(kinds, (*key, asking.content, id(config)), lambda: (config, work_out()), by=by)
    return held[1]


def asked_by_all(made: Iterable[_Made], *, is_secured: bool = False) -> list[JSONValue]:
    """What a placement reads of workloads; the claims come last in each."""
    found: list[JSONValue] = []
    for workload, own in made:
        claims = claims_among([(workload, own)])
        if own or claims:
            found.append([*asked_by(workload, own, is_secured=is_secured), claims])
    return found


def _outlook(placement: Placement, pod: JSONObject, known: WithClaims, config: Configuration, namespace: str) -> Outlook:
    """Whether the pods can run.

    The answer is "never" only if no missing object, expected node, scaling or end of a pause could change it.
    """
    if placement.fits:
        return Outlook.NOW
    if placement.reason is Reason.REJECTED and not placement.names_missing:
        return Outlook.REFUSED
    hardware = placement.apart_from_claims or placement
    waits = placement.names_missing or placement.on_expected or placement.prospects or _waits_for_volumes(placement)
    if waits or hardware.fits or hardware.on_expected or hardware.prospects or hardware.reason is not Reason.UNSCHEDULABLE:
        return Outlook.LATER
    asked = without_claims(pod, {*known.unknown, *placement.absent, *placement.unready})
    limits = counts(of_pod(part(asked, "spec"), "limits"))
    if any(config.expected_resources.get(resource, 0) >= count for resource, count in limits.items()):
        return Outlook.LATER
    return Outlook.LATER if paused_nodes(asked, known.facts, namespace) else Outlook.NEVER


def _waits_for_volumes(placement: Placement) -> bool:
    return NONE_FREE in placement.message or NO_ROOM in placement.message


def claims_among(made: Iterable[_Made]) -> list[JSONObject]:
    """The PersistentVolumeClaims among these objects, and those that controllers create for their pods."""
    return [claim for obj, own in made for claim in ([obj] if obj.get("kind") == _CLAIM else claims_of(obj, own.values()))]


def _mounts_claims(pods: Iterable[JSONObject]) -> bool:
    return any(part(volume, "persistentVolumeClaim") for pod in pods for volume in items(pod, "spec", "volumes"))


def _share_claims(workload: JSONObject, own_pods: Mapping[str, JSONObject], facts: Facts, namespace: str) -> bool:
    """Whether replicas of a workload share a claim that can't be used on several nodes."""
    own = set(map(name_of, claims_of(workload)))
    return any(shared_claims(part(pod, "spec"), namespace_of(pod) or namespace, own, facts.objects) for pod in own_pods.values())
