"""Where the pods of a request's object could run: of a workload its own, of a family's object those that the operator will make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from policies.config import Configuration
from policies.facts import Facts
from policies.facts.expected import nodes_of_pools
from policies.findings import PodPlacement, Unchecked
from policies.objects import JSONObject, name_of
from policies.placement.outcome import Placement
from policies.placement.placement import place, some_node_takes
from policies.pods.workloads import pods_of, without_claims
from policies.request import Request


def fits_now(request: Request, workloads: Iterable[JSONObject], facts: Facts) -> bool:
    """Whether all pods of what comes of a request surely find a node, which is cheaper to say than where and why; asked once a request.

    What an operator makes is predicted only where the API server takes it, so that its pods are valid.
    """

    def ask() -> bool:
        made = list(workloads)
        is_predicted = all(workload is not request.object for workload in made)
        namespace = request.namespace or "default"
        claims = _claims(made)
        pods = [_without(pod, claims, facts, namespace) for workload in made for pod in pods_of(workload).values()]
        return bool(pods) and all(some_node_takes(pod, facts, namespace, is_valid=is_predicted) for pod in pods)

    return request.once(fits_now, ask)


def placed(
    workloads: Iterable[JSONObject], facts: Facts, config: Configuration, namespace: str
) -> tuple[Placement, PodPlacement, Sequence[Unchecked]] | None:
    """The placement of the pods that `workloads` make; `None` where they make none.

    Of several kinds of pods the one that finds no node is the one to speak of. Claims among the workloads are made together with the pods,
    so that where their volumes can be isn't known before.
    """
    made = list(workloads)
    claims = _claims(made)
    found: dict[str, Placement] = {}
    for workload in made:
        for name, pod in pods_of(workload).items():
            expected = [*config.declared_nodes, *nodes_of_pools(facts.objects, pod)]
            found[name] = place(_without(pod, claims, facts, namespace), facts, namespace=namespace, expected=expected)
    if not found:
        return None
    name, placement = next(((name, one) for name, one in found.items() if not one.fits), next(iter(found.items())))
    told = PodPlacement(placement.nodes, placement.message, placement.nearest, name)
    return placement, told, [Unchecked("placement", reason) for reason in placement.unchecked]


def _claims(made: Iterable[JSONObject]) -> set[str]:
    return {name_of(obj) for obj in made if obj.get("kind") == "PersistentVolumeClaim"}


def _without(pod: JSONObject, claims: set[str], facts: Facts, namespace: str) -> JSONObject:
    """The pod without the volumes whose claims are only made beside it."""
    return without_claims(pod, {name for name in claims if facts.objects.get("", "PersistentVolumeClaim", namespace, name) is None})
