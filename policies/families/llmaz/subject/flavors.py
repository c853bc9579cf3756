"""The flavors of a model, with limits, node labels and parameters, and which of them a claim chooses.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go (injectModelFlavor).
"""

from __future__ import annotations

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmaz.subject.claims import Claims
from weighbridge.policies.ground.fields import amount, items, part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class Flavor:
    """One flavor; `place` is its index among the model's."""

    place: int
    name: str
    limits: dict[str, JSONValue]
    node_selector: dict[str, str]
    params: dict[str, str]

    @property
    def path(self) -> Path:
        """The path of the flavor in its OpenModel."""
        return ("spec", "inferenceConfig", "flavors", self.place)

    @property
    def accelerators(self) -> dict[str, Quantity]:
        """The amounts of extended resources, by name."""
        read = {name: amount(value) for name, value in self.limits.items() if is_extended(name)}
        return {name: found for name, found in read.items() if found is not None}

    @property
    def accelerator_count(self) -> int:
        """The total of its accelerators of all resources."""
        return sum(count.value() for count in self.accelerators.values())


def is_extended(resource: str) -> bool:
    """Whether a resource comes from a device plugin."""
    return "/" in resource and not resource.startswith(("kubernetes.io/", "requests."))


def flavors_of(model: JSONObject | None) -> tuple[Flavor, ...]:
    """The flavors of an OpenModel, in their order."""
    found = items(spec_of(model), "inferenceConfig", "flavors")
    return tuple(
        Flavor(place, text(one, "name"), part(one, "limits"), text_map(one, "nodeSelector"), text_map(one, "params"))
        for place, one in enumerate(found)
    )


def flavor_named(flavors: tuple[Flavor, ...], name: str) -> Flavor | None:
    """The first flavor of a name, which is the one that the controllers take."""
    return next((flavor for flavor in flavors if flavor.name == name), None)


def chosen_flavor(claims: Claims, flavors: tuple[Flavor, ...]) -> Flavor | None:
    """The flavor whose limits the pods get: the claim's first, else the model's first; `None` if the model has none of that name."""
    if claims.flavors:
        return flavor_named(flavors, claims.flavors[0])
    return flavors[0] if flavors else None


def considered(claims: Claims, flavors: tuple[Flavor, ...]) -> tuple[Flavor, ...]:
    """The flavors by which nodes may be chosen: the claim's, as far as the model has them, else all of the model's."""
    if not claims.flavors:
        return flavors
    return tuple(found for name in claims.flavors if (found := flavor_named(flavors, name)) is not None)
