"""A Playground or a Service, with all that is known of the models that it claims. It is read once for a request, for the prediction and all
rules.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.llmaz.kinds import PLAYGROUND, RUNNER
from weighbridge.policies.families.llmaz.operator import KnownOperator, operator_of
from weighbridge.policies.families.llmaz.subject.claims import Claimed, Claims, claims_of
from weighbridge.policies.families.llmaz.subject.flavors import Flavor, chosen_flavor, considered, flavors_of, is_extended
from weighbridge.policies.families.llmaz.subject.references import MODELS, RUNTIMES, model_of, runtime_of
from weighbridge.policies.families.llmaz.subject.runtime import Choice, choice_of, config_named
from weighbridge.policies.families.llmaz.subject.sources import Source, skips_loader, source_of
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.request import Request


@dataclass(frozen=True, slots=True)
class Service:
    """The object and the models that it claims; `missing` ones don't exist, and `unknown` ones may exist.

    A Playground has a `choice` of its runtime.
    """

    object: JSONObject
    namespace: str
    claims: Claims
    operator: KnownOperator
    models: dict[str, JSONObject] = field(default_factory=dict)
    missing: tuple[Claimed, ...] = ()
    unknown: tuple[Claimed, ...] = ()
    is_playground: bool = False
    choice: Choice = field(default_factory=Choice)
    runtime: JSONObject | None = None
    is_runtime_missing: bool | None = None
    #: Whether the runtime is the one that llmaz ships, because the cluster's isn't known.
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
    def claimed_sources(self) -> list[tuple[Claimed, Source]]:
        """The claimed models in the order in which they are written, each with its source, as far as that can be read."""
        found = ((model, self.models.get(model.name)) for model in self.claims.models)
        return [(model, source) for model, known in found if known is not None and (source := source_of(known)) is not None]

    @property
    def flavors(self) -> tuple[Flavor, ...]:
        """The flavors of the main model; those of others have no effect."""
        return flavors_of(self.main)

    @property
    def considered(self) -> tuple[Flavor, ...]:
        """The flavors by which the pods' nodes may be chosen."""
        return considered(self.claims, self.flavors)

    @property
    def flavor(self) -> Flavor | None:
        """The flavor whose limits the pods get."""
        return chosen_flavor(self.claims, self.flavors)

    @property
    def config(self) -> JSONObject | None:
        """The recommended configuration; `None` if the runtime isn't known, or has none of the name."""
        return config_named(self.runtime, self.choice.config) if self.is_playground else None

    @property
    def elastic(self) -> JSONObject:
        """The bounds and the trigger of an elastic Playground."""
        return part(self.object, "spec", "elasticConfig")

    @property
    def own_limits(self) -> JSONObject:
        """The devices that the containers request themselves; llmaz keeps those that the flavor doesn't name."""
        if self.is_playground:
            holders = [self.config or {}, part(self.object, "spec", "backendRuntimeConfig")]
        else:
            template = part(self.object, "spec", "workloadTemplate", "workerTemplate", "spec")
            holders = [container for container in items(template, "containers") if text(container, "name") == RUNNER]
        limits = [part(holder, "resources", "limits") for holder in holders]
        return {name: value for given in limits for name, value in given.items() if is_extended(name)}

    @property
    def skips(self) -> bool:
        """Whether the pods have no loader."""
        return skips_loader(self.object)


def service_of(request: Request, facts: Facts, config: Configuration) -> Service | None:
    """The Playground or Service of a request; `None` if it has no spec, and for subresources."""
    found = request.object
    if request.subresource or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    return request.once(Service, lambda: _read(found, request, facts, config))


def _read(found: JSONObject, request: Request, facts: Facts, config: Configuration) -> Service:
    obj, claims = _as_stored(found, request), claims_of(found)
    models = {model.name: known for model in claims.models if (known := model_of(model.name, facts, config)) is not None}
    absent = {model: MODELS.is_missing(facts, "", model.name) for model in claims.models if model.name not in models}
    choice, runtime, is_runtime_missing = Choice(), None, None
    is_playground = request.gvk.kind == PLAYGROUND.kind
    if is_playground:
        choice = choice_of(found, claims)
        runtime = runtime_of(choice.runtime, facts)
        is_runtime_missing = RUNTIMES.is_missing(facts, "", choice.runtime)
    return Service(
        obj,
        namespace_of(obj),
        claims,
        operator_of(facts, config),
        models,
        tuple(model for model, is_missing in absent.items() if is_missing),
        tuple(model for model, is_missing in absent.items() if is_missing is None),
        is_playground,
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
