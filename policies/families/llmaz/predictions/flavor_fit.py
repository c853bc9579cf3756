"""Which flavors the cluster's nodes could serve, why they can't serve the others, and which node comes closest.

A node serves a flavor if it has all of the flavor's limits and labels, and no taint that the flavor's pods don't tolerate. llmaz compares
none of this: it writes the first flavor's limits into the pod, and labels only have an effect if its scheduler plugin is installed.
Source: llmaz 3c13ff3, api/core/v1alpha1/model_types.go; InftyAI/scheduler-plugins 25a11fd, docs/plugins/resource_fungibility.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, Taint
from weighbridge.policies.facts.expected import nodes_to_come
from weighbridge.policies.families.fill.taints import missing_taints, toleration_of
from weighbridge.policies.families.llmaz.operator import UPSTREAM_SCHEDULER
from weighbridge.policies.families.llmaz.subject.accelerators import spread_over
from weighbridge.policies.families.llmaz.subject.flavors import Flavor
from weighbridge.policies.families.llmaz.subject.service import Service
from weighbridge.policies.families.prediction import Table
from weighbridge.policies.ground.content import content_of
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.placement.asked import READ_WITH_AUTOSCALERS
from weighbridge.policies.placement.outcome import Reason
from weighbridge.policies.placement.paused_nodes import paused_nodes
from weighbridge.policies.placement.placement import place


@dataclass(frozen=True, slots=True)
class Fit:
    """The verdict on one flavor: the first node that could serve it, and the number of such nodes; else the scheduler's reason.

    `may_come` says that nodes may come that could serve it.
    """

    flavor: Flavor
    node: str
    count: int
    reason: str = ""
    nearest: str = ""
    may_come: bool = False
    is_unknown: bool = False

    @property
    def fits(self) -> bool:
        """Whether a node of the cluster could serve it."""
        return bool(self.node)

    @property
    def is_hopeless(self) -> bool:
        """Whether no node could serve it, now or later, as far as that is known."""
        return not (self.fits or self.may_come or self.is_unknown)

    def row(self, scheduler: str | None) -> tuple[str, ...]:
        """The verdict as a row: the flavor, what it demands of a node, whether a node could serve it, and which one or why not.

        With the default `scheduler` pods run on other nodes, too; `scheduler` is `None` if there are no pods.
        """
        asked = ", ".join(f"{name}={value}" for name, value in (*self.flavor.limits.items(), *self.flavor.node_selector.items()))
        if self.fits:
            more = f" and {self.count - 1} more" if self.count > 1 else ""
            labels = ", ".join(f"{name}={value}" for name, value in self.flavor.node_selector.items())
            elsewhere = f"; the pod doesn't carry {labels}, so without llmaz's scheduler plugin any node with the limits may take it"
            is_default = scheduler in ("", UPSTREAM_SCHEDULER)
            return (self.flavor.name, asked, "fits", f"node {self.node}{more}{elsewhere if labels and is_default else ''}")
        verdict = "unknown" if self.is_unknown else "later" if self.may_come else "fits no node"
        return (self.flavor.name, asked, verdict, self.reason + (f"; nearest: {self.nearest}" if self.nearest else ""))


def tables_of(fits: Sequence[Fit], scheduler: str | None = None) -> list[Table]:
    """The verdicts on the flavors as a table, in their order; `scheduler` places the pods, which get the limits of the first flavor."""
    rows = [fit.row(scheduler) for fit in fits]
    return [Table("Flavors", ("flavor", "asks for", "verdict", "because"), rows)] if rows else []


def fits_of(
    flavors: Sequence[Flavor], facts: Facts, config: Configuration, namespace: str = "default", own: JSONObject | None = None
) -> list[Fit]:
    """The verdict on each flavor; none if the cluster's nodes aren't known.

    `own` are the devices that the pods request themselves. Without it, as for a model alone, these are the devices that would be filled
    into a Playground.
    """
    if facts.inventory is None:
        return []
    return [_remembered(_asking(flavor, facts, config, own), facts, config, namespace) for flavor in flavors]


def claimed_fits(service: Service, facts: Facts, config: Configuration) -> list[Fit]:
    """The verdict on each flavor by which the pods' nodes may be chosen."""
    return fits_of(service.considered, facts, config, service.namespace, service.own_limits)


def _asking(flavor: Flavor, facts: Facts, config: Configuration, own: JSONObject | None) -> Flavor:
    """The flavor with the further devices that pods get."""
    spread = spread_over(flavor, facts, config) if own is None else None
    more = {spread.resource: str(spread.amount)} if spread is not None else own or {}
    return replace(flavor, limits={**more, **flavor.limits}) if more else flavor


def _remembered(flavor: Flavor, facts: Facts, config: Configuration, namespace: str) -> Fit:
    """The verdict on a flavor, which the object store remembers for all flavors with the same demands."""

    def work_out() -> Fit:
        return _fit(flavor, facts, config, namespace)

    content = content_of([namespace, flavor.limits, flavor.node_selector])
    if content is None:
        return work_out()
    # The configuration is kept in the remembered value, so that its id isn't given to another one.
    key, by = (fits_of, content, id(config)), (facts.inventory, facts.former)
    _, found = facts.objects.once(READ_WITH_AUTOSCALERS, key, lambda: (config, work_out()), by=by)
    return replace(found, flavor=flavor)


def _fit(flavor: Flavor, facts: Facts, config: Configuration, namespace: str) -> Fit:
    tolerations: list[JSONObject] = []
    for resource in flavor.accelerators:
        tolerations += [*config.tolerations_for(resource), *map(toleration_of, _taints(flavor, resource, facts, config))]
    pod = _pod(flavor, tolerations)
    expected = [*config.declared_nodes, *nodes_to_come(facts, pod)]
    placement = place(pod, facts, namespace=namespace, expected=expected)
    counts = {name: found.value() for name, found in flavor.accelerators.items()}
    may_come = bool(placement.on_expected or placement.prospects or (not placement.fits and paused_nodes(pod, facts, namespace)))
    may_come = may_come or any(config.expected_resources.get(name, 0) >= count > 0 for name, count in counts.items())
    return Fit(
        flavor,
        next(placement.nodes.fitting, "") if placement.fits else "",
        placement.nodes.count,
        placement.reasons,
        "; ".join(placement.nearest),
        may_come,
        not placement.fits and placement.reason is not Reason.UNSCHEDULABLE,
    )


def _taints(flavor: Flavor, resource: str, facts: Facts, config: Configuration) -> Iterable[Taint]:
    """The tolerations that the pods would get. If no node could serve the flavor, they are those for one node with the resource, so that
    the reason isn't a taint.
    """
    for limits, selector in ((flavor.limits, flavor.node_selector), (flavor.limits, {}), ({resource: 1}, {})):
        asked = replace(flavor, limits=limits, node_selector=selector)
        if found := missing_taints(_pod(asked, []), resource, (), facts, config):
            return found
    return ()


def _pod(flavor: Flavor, tolerations: Sequence[JSONObject]) -> JSONObject:
    """A pod that requests the flavor's limits, and nothing else."""
    limits = {name: str(value) for name, value in flavor.limits.items()}
    container = {"name": "model-runner", "image": "model-runner", "resources": {"limits": limits, "requests": dict(limits)}}
    spec = {"containers": [container], "nodeSelector": dict(flavor.node_selector), "tolerations": list(tolerations)}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "flavor"}, "spec": spec}
