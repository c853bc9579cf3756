"""The GPUs of a Playground whose model sets their number, but not their resource.

`params.TP` of a flavor may set the number of GPUs for the model while the flavor's `limits` have no GPU. llmaz doesn't read this parameter,
so the pods would run without a GPU. If the nodes with the flavor's labels have one GPU resource, Weighbridge writes that number into
`spec.backendRuntimeConfig.resources.limits`, which the controller uses unless the flavor sets the resource. It fills in nothing if the
nodes have several such resources, or if the Playground or the runtime requests a GPU.

Weighbridge doesn't change a resource that a flavor names, even if no node has it: flavors are in a list, which belongs to its author as
a whole. LLMAZ-017 and LLMAZ-071 list the resources that the nodes have.

Source: llmaz 3c13ff3, api/core/v1alpha1/model_types.go and pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.updates import settle_value
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.families.llmaz.subject.accelerators import accelerators_of, spread_over
from weighbridge.policies.families.llmaz.subject.claims import claims_of
from weighbridge.policies.families.llmaz.subject.flavors import chosen_flavor, flavors_of
from weighbridge.policies.families.llmaz.subject.references import model_of, runtime_of
from weighbridge.policies.families.llmaz.subject.runtime import choice_of, config_named
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject, Path, lookup
from weighbridge.policies.ground.request import Request

_RESOURCES: Final[Path] = ("spec", "backendRuntimeConfig", "resources")
_LIMITS: Final[Path] = (*_RESOURCES, "limits")


def fill_playground(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in a Playground."""
    playground = mutation.object
    if not isinstance(playground.get("spec"), dict):
        return
    limits = lookup(playground, _LIMITS)
    held = limits if isinstance(limits, dict) else {}
    ours = [name for name in held if mutation.authorship.is_filled(playground, (*_LIMITS, name))]
    filling = None if _asks_itself(playground, ours, facts) else _filling(playground, facts, config)
    name = filling[0] if filling is not None else ""
    for resource in dict.fromkeys([*ours, *([name] if name else [])]):
        settle_value(
            mutation,
            (*_LIMITS, resource),
            lambda _, resource=resource: filling[1] if filling is not None and resource == name else None,  # type: ignore[misc]
            no_longer="no flavor calls for it any more, or no node serves it",
            removed=_RESOURCES,
        )


def _asks_itself(playground: JSONObject, ours: list[str], facts: Facts) -> bool:
    """Whether the author of the Playground or of its runtime requests GPUs."""
    own = part(playground, "spec", "backendRuntimeConfig", "resources")
    written = {name for kind in ("limits", "requests") for name in accelerators_of(part(own, kind))}
    if written - set(ours):
        return True
    choice = choice_of(playground, claims_of(playground))
    recommended = config_named(runtime_of(choice.runtime, facts), choice.config) or {}
    return any(accelerators_of(part(recommended, "resources", kind)) for kind in ("limits", "requests"))


def _filling(playground: JSONObject, facts: Facts, config: Configuration) -> tuple[str, Filling] | None:
    """The resource and its amount; `None` if nothing should be filled in."""
    claims = claims_of(playground)
    model = model_of(claims.ordered[0].name, facts, config) if claims.ordered else None
    flavor = chosen_flavor(claims, flavors_of(model))
    spread = spread_over(flavor, facts, config)
    if flavor is None or spread is None or not isinstance(spec_of(playground).get("backendRuntimeConfig", {}), dict):
        return None
    reason = f"flavor {flavor.name} has TP {spread.amount}, and {spread.nodes} node(s) that it may run on serve {spread.resource} alone"
    return spread.resource, Filling(str(spread.amount), "cluster", reason)
