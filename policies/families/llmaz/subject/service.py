"""A Playground or a Service with all that is known of what it claims, read once for its prediction and its rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.llmaz.kinds import PLAYGROUND, RUNNER
from weighbridge.policies.families.llmaz.operator import KnownOperator, operator_of
from weighbridge.policies.families.llmaz.predictions.runtime import Choice, choice_of, config_named
from weighbridge.policies.families.llmaz.predictions.sources import Source, skips_loader, source_of
from weighbridge.policies.families.llmaz.subject.claims import Claimed, Claims, claims_of
from weighbridge.policies.families.llmaz.subject.flavors import Flavor, chosen_flavor, flavors_of, is_extended
from weighbridge.policies.families.llmaz.subject.references import MODELS, RUNTIMES, model_of, runtime_of
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.request import Request


@dataclass(frozen=True, slots=True)
class Serving:
    """The object, its claims, and the models of these as far as they are there; `missing` aren't, of `unknown` that can't be said."""

    object: JSONObject
    namespace: str
    claims: Claims
    operator: KnownOperator
    models: dict[str, JSONObject] = field(default_factory=dict)
    missing: tuple[Claimed, ...] = ()
    unknown: tuple[Claimed, ...] = ()
    choice: Choice | None = None
    runtime: JSONObject | None = None
    is_runtime_missing: bool | None = None
    #: Whether the runtime is the one that llmaz ships, for want of the cluster's.
    is_shipped: bool = False

    @property
    def name(self) -> str:
        """The object's name."""
        return name_of(self.object)

    @property
    def main(self) -> JSONObject | None:
        """The main model: the first as the controllers order them."""
        ordered = self.claims.ordered
        return self.models.get(ordered[0].name) if ordered else None

    @property
    def sources(self) -> list[Source]:
        """The sources of the models, in the controllers' order, as far as they can be read."""
        found = (self.models.get(model.name) for model in self.claims.ordered)
        return [source for model in found if model is not None and (source := source_of(model)) is not None]

    @property
    def flavors(self) -> tuple[Flavor, ...]:
        """The main model's flavors, which alone count."""
        return flavors_of(self.main)

    @property
    def flavor(self) -> Flavor | None:
        """The flavor whose limits the pods get."""
        return chosen_flavor(self.claims, self.flavors)

    @property
    def config(self) -> JSONObject | None:
        """The recommended configuration, where runtime and name are known."""
        return config_named(self.runtime, self.choice.config) if self.choice is not None else None

    @property
    def own_limits(self) -> JSONObject:
        """The devices that the containers ask for themselves, which are handed on where the flavor doesn't name them."""
        if self.choice is None:
            template = part(self.object, "spec", "workloadTemplate", "workerTemplate", "spec")
            holders = [container for container in items(template, "containers") if text(container, "name") == RUNNER]
        else:
            holders = [self.config or {}, part(self.object, "spec", "backendRuntimeConfig")]
        limits = [part(holder, "resources", "limits") for holder in holders]
        return {name: value for given in limits for name, value in given.items() if is_extended(name)}

    @property
    def skips(self) -> bool:
        """Whether there is no loader."""
        return skips_loader(self.object)


def serving_of(request: Request, facts: Facts, config: Configuration) -> Serving | None:
    """What a request's object claims, worked out once; `None` for what has no spec, and for subresources."""
    found = request.object
    if request.subresource or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    return request.once(Serving, lambda: _read(found, request, facts, config))


def _read(found: JSONObject, request: Request, facts: Facts, config: Configuration) -> Serving:
    obj, claims = _as_stored(found, request), claims_of(found)
    models = {model.name: known for model in claims.models if (known := model_of(model.name, facts, config)) is not None}
    absent = {model: MODELS.is_missing(facts, "", model.name) for model in claims.models if model.name not in models}
    choice, runtime, is_runtime_missing = None, None, None
    if request.gvk.kind == PLAYGROUND.kind:
        choice = choice_of(found, claims)
        runtime = runtime_of(choice.runtime, facts)
        is_runtime_missing = RUNTIMES.is_missing(facts, "", choice.runtime)
    return Serving(
        obj,
        namespace_of(obj),
        claims,
        operator_of(facts, config),
        models,
        tuple(model for model, is_missing in absent.items() if is_missing),
        tuple(model for model, is_missing in absent.items() if is_missing is None),
        choice,
        runtime,
        is_runtime_missing,
    )


def _as_stored(found: JSONObject, request: Request) -> JSONObject:
    """The object with its namespace and its name, which a manifest may leave open."""
    metadata = metadata_of(found)
    namespace = namespace_of(found) or request.namespace or "default"
    generated = metadata.get("generateName")
    name = name_of(found) or (f"{generated}xxxxx" if isinstance(generated, str) else "")
    return {**found, "metadata": {**metadata, "namespace": namespace, "name": name}}
