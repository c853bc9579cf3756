"""Fields of a llmaz Service that Weighbridge fills in if the author left them empty.

- `tolerations` of its leader and its workers: neither models nor Playgrounds have a field for them, so pods with a GPU could run on no
  tainted node without these. Weighbridge looks at the nodes that have the resource, whether the flavor or a container requests it. It adds
  tolerations for taints that are about GPUs and reserve nothing, and for taints that all of these nodes have. It doesn't change a list that
  the author wrote.
- `schedulerName`, if the configuration has `llmaz.schedulerName`. Otherwise the controller reads it from its ConfigMap.

The Service that the controller creates for a Playground gets the same values. Weighbridge fills in nothing in models and runtimes: their
empty fields are in lists, which belong to their author as a whole, or upstream's own webhook fills them in.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go and site/content/en/docs/integrations/karpenter.md.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.tolerations import read_tolerations
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.taints import needed_tolerations
from weighbridge.policies.families.fill.updates import settle_items, settle_value
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.families.llmaz.kinds import RUNNER, TEMPLATES
from weighbridge.policies.families.llmaz.predictions.resources import with_flavor
from weighbridge.policies.families.llmaz.settings import Llmaz
from weighbridge.policies.families.llmaz.subject.claims import claims_of
from weighbridge.policies.families.llmaz.subject.flavors import Flavor, chosen_flavor, flavors_of, is_extended
from weighbridge.policies.families.llmaz.subject.references import model_of
from weighbridge.policies.ground.fields import amount, items, part, text
from weighbridge.policies.ground.objects import JSONObject, Path, lookup
from weighbridge.policies.ground.request import Request


def fill_service(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in a Service."""
    scheduler = config.settings_of(Llmaz).scheduler_name
    filling = Filling(scheduler, "configuration", "llmaz.schedulerName") if scheduler else None
    flavor = _flavor(mutation.object, facts, config)
    for template in TEMPLATES:
        path: Path = ("spec", "workloadTemplate", template, "spec")
        if not isinstance(lookup(mutation.object, path), dict):
            continue
        settle_value(mutation, (*path, "schedulerName"), lambda _: filling, no_longer="llmaz.schedulerName is no longer configured")
        settle_items(
            mutation,
            (*path, "tolerations"),
            lambda service, path=path: _tolerations(lookup(service, path), flavor, facts, config),  # type: ignore[misc]
            no_longer="no node with the pods' resources calls for it",
        )


def _flavor(service: JSONObject, facts: Facts, config: Configuration) -> Flavor | None:
    claims = claims_of(service)
    ordered = claims.ordered
    model = model_of(ordered[0].name, facts, config) if ordered else None
    return chosen_flavor(claims, flavors_of(model))


def _tolerations(spec: JSONObject, flavor: Flavor | None, facts: Facts, config: Configuration) -> list[Filling]:
    """The tolerations that pods of a template need for their accelerators: configured ones, then those for the nodes' taints."""
    pod = _pod(spec, flavor)
    limits = [part(container, "resources", "limits") for container in items(pod, "spec", "containers")]
    wanted = {
        name: count for given in limits for name, value in given.items() if is_extended(name) and (count := amount(value)) is not None
    }
    found: list[Filling] = []
    for resource, count in wanted.items():
        if count.sign() <= 0:
            continue
        held = read_tolerations([*items(spec, "tolerations"), *(filling.value for filling in found)])
        found += needed_tolerations(pod, resource, held, facts, config)
    return found


def _pod(spec: JSONObject, flavor: Flavor | None) -> JSONObject:
    """The parts of the pod that the choice of a node depends on, apart from taints."""
    containers = [
        {**container, "resources": with_flavor(part(container, "resources"), flavor.limits)}
        if flavor is not None and text(container, "name") == RUNNER
        else container
        for container in items(spec, "containers")
    ]
    kept = {name: spec[name] for name in ("affinity", "nodeSelector") if name in spec}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod"}, "spec": {**kept, "containers": containers}}
