"""What the rules of llmaz import: their subjects, and the names that every rule uses."""

from __future__ import annotations

from typing import Final, TypeAlias

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.kinds import READ_BY_PLACEMENT
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmaz.predictions.servers import Server, servers_of
from weighbridge.policies.families.llmaz.subject.claims import Claims, claims_of
from weighbridge.policies.families.llmaz.subject.flavors import Flavor, flavors_of
from weighbridge.policies.families.llmaz.subject.service import Service, service_of
from weighbridge.policies.families.llmaz.upstream.webhooks import Objection, Topic, objections_of
from weighbridge.policies.families.rule import (
    FAILURE,
    PLACEMENT,
    QUOTA,
    REFERENCE,
    Given,
    NotChecked,
    Said,
    Subject,
    Violation,
    given_object,
    of_object,
)
from weighbridge.policies.ground.fields import amount, items, part, text, text_map, texts, whole
from weighbridge.policies.ground.objects import JSONObject, Operation, Path, lookup, metadata_of, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.spelling import Similar, similar

__all__ = [
    "CLAIM_READS", "FAILURE", "NODE_READS", "PLACED_READS", "PLACEMENT", "QUOTA", "REFERENCE", "Claims", "Flavors", "Given", "JSONObject",
    "NotChecked", "Objections", "Operation", "Path", "Said", "Servers", "Service", "Similar", "Topic", "Violation", "amount", "claims",
    "elastic", "flavors", "items", "lookup", "metadata_of", "models", "name_of", "objections", "objects", "part", "playgrounds", "runtimes",
    "servers", "services", "similar", "templates", "text", "text_map", "texts", "whole",
]  # fmt: skip

Flavors: TypeAlias = tuple[Flavor, ...]
Objections: TypeAlias = list[Objection]
Servers: TypeAlias = list[Server]

#: The kinds that a rule looks up if it resolves the claims of a Playground or a Service.
CLAIM_READS: Final = ("BackendRuntime", "ConfigMap/llmaz-global-config", "OpenModel.llmaz.io")
#: The kinds that a rule looks up if it places a pod on nodes.
NODE_READS: Final = tuple(sorted(READ_BY_PLACEMENT))
#: The kinds of both.
PLACED_READS: Final = tuple(sorted({*CLAIM_READS, *READ_BY_PLACEMENT}))


def _elastic(request: Request, facts: Facts, config: Configuration) -> Service | None:
    service = service_of(request, facts, config)
    return service if service is not None and isinstance(spec_of(service.object).get("elasticConfig"), dict) else None


def _template(request: Request, *_: object) -> JSONObject | None:
    return part(request.object, "spec", "workloadTemplate") or None


def objections(topic: Topic, *kinds: str) -> Subject[Objections]:
    """Rules about the refusals of llmaz's own webhooks on one topic."""

    def read(request: Request, *_: object) -> Objections:
        found = objections_of(request.object, is_create=request.operation is Operation.CREATE) if isinstance(request.object, dict) else ()
        return [objection for objection in found if objection.topic is topic]

    return Subject(kinds, read)


#: Rules about an object as it is written.
objects: Final = Subject((), given_object)
#: Rules about an OpenModel.
models: Final = Subject(("OpenModel",), given_object)
#: Rules about the flavors of an OpenModel.
flavors: Final = Subject(("OpenModel",), of_object(lambda model: flavors_of(model) or None))
#: Rules about a BackendRuntime.
runtimes: Final = Subject(("BackendRuntime",), given_object)
#: Rules about the claims of models in a Playground or a Service, as they are written.
claims: Final = Subject(("Playground", "Service"), of_object(claims_of))
#: Rules about the `workloadTemplate` of a Service.
templates: Final = Subject(("Service",), _template)
#: Rules about a Playground or a Service, with its models and its runtime.
services: Final = Subject(("Playground", "Service"), service_of, CLAIM_READS)
#: Rules about a Playground, with its models and its runtime.
playgrounds: Final = Subject(("Playground",), service_of, CLAIM_READS)
#: Rules about a Playground that is elastic.
elastic: Final = Subject(("Playground",), _elastic, CLAIM_READS)
#: Rules about the containers of the pods, with their engines.
servers: Final = Subject(("Playground", "Service"), servers_of, CLAIM_READS)
