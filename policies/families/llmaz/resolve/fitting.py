"""Which flavors the cluster's nodes could serve, why not the others, and what comes closest.

A node serves a flavor where it has all of its limits and its labels, and no taint but those that pods for it get tolerations of. llmaz
compares nothing of this: the first flavor's limits go into the pod, and labels only count where its scheduler plugin is installed.
Source: llmaz 3c13ff3, api/core/v1alpha1/model_types.go; InftyAI/scheduler-plugins 25a11fd, docs/plugins/resource_fungibility.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from policies.config import Configuration
from policies.facts import Facts
from policies.facts.expected import nodes_to_come
from policies.families.effective import EffectiveValue
from policies.families.filling.taints import missing_taints, toleration_of
from policies.families.llmaz.subject.flavors import Flavor
from policies.objects import JSONObject
from policies.placement.outcome import Reason
from policies.placement.placement import place


@dataclass(frozen=True, slots=True)
class Fit:
    """The verdict on one flavor: the nodes that would do, else the scheduler's reason; `may_come` where nodes that would do may come."""

    flavor: Flavor
    nodes: tuple[str, ...]
    reason: str = ""
    nearest: str = ""
    may_come: bool = False
    is_unknown: bool = False

    @property
    def fits(self) -> bool:
        """Whether a node of the cluster would do."""
        return bool(self.nodes)

    def value(self) -> EffectiveValue:
        """The verdict as a prediction shows it."""
        name = f"flavor {self.flavor.name}"
        if self.fits:
            more = f" and {len(self.nodes) - 1} more" if len(self.nodes) > 1 else ""
            return EffectiveValue(
                "OpenModel", name, "fits", f"OpenModel spec.inferenceConfig.flavors[{self.flavor.place}]", f"node {self.nodes[0]}{more}"
            )
        told = "isn't known" if self.is_unknown else "nodes may come" if self.may_come else "fits no node"
        reason = self.reason + (f"; nearest: {self.nearest}" if self.nearest else "")
        return EffectiveValue("OpenModel", name, told, f"OpenModel spec.inferenceConfig.flavors[{self.flavor.place}]", reason)


def fits_of(flavors: Sequence[Flavor], facts: Facts, config: Configuration, namespace: str = "default") -> list[Fit]:
    """The verdict on each flavor; none where nothing is known of the cluster's nodes."""
    return [_fit(flavor, facts, config, namespace) for flavor in flavors] if facts.inventory is not None else []


def _fit(flavor: Flavor, facts: Facts, config: Configuration, namespace: str) -> Fit:
    pod = _pod(flavor, [])
    tolerations: list[JSONObject] = []
    for resource in flavor.accelerators:
        tolerations += [*config.tolerations_for(resource), *map(toleration_of, missing_taints(pod, resource, (), facts, config))]
    pod = _pod(flavor, tolerations)
    expected = [*config.declared_nodes, *nodes_to_come(facts, pod)]
    placement = place(pod, facts, namespace=namespace, expected=expected)
    counts = {name: found.value() for name, found in flavor.accelerators.items()}
    may_come = bool(placement.on_expected or placement.prospects)
    may_come = may_come or any(config.expected_resources.get(name, 0) >= count > 0 for name, count in counts.items())
    return Fit(
        flavor,
        tuple(placement.feasible) if placement.fits else (),
        placement.reasons,
        "; ".join(placement.nearest),
        may_come,
        not placement.fits and placement.reason is not Reason.UNSCHEDULABLE,
    )


def _pod(flavor: Flavor, tolerations: Sequence[JSONObject]) -> JSONObject:
    """A pod that asks for what the flavor gives, and nothing else."""
    limits = {name: str(value) for name, value in flavor.limits.items()}
    container = {"name": "model-runner", "image": "model-runner", "resources": {"limits": limits, "requests": dict(limits)}}
    spec = {"containers": [container], "nodeSelector": dict(flavor.node_selector), "tolerations": list(tolerations)}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "flavor"}, "spec": spec}
