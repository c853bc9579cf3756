"""What LLMKube objects refer to: Models, and InferenceServices.

A service as it will be is looked up in `referenced_services`, since what is filled into it depends on its Model.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.references import Referent
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of, namespace_of

GROUP: Final = "inference.llmkube.dev"
MODELS: Final = Referent(GROUP, "Model")
SERVICES: Final = Referent(GROUP, "InferenceService")


def model_of(service: JSONObject, namespace: str, facts: Facts, config: Configuration) -> JSONObject | None:
    """The Model that a service refers to, in the service's namespace; `None` if it isn't known."""
    return model_named(namespace_of(service) or namespace, text(spec_of(service), "modelRef"), facts, config)


def services_of(model: JSONValue, namespace: str, facts: Facts) -> Iterable[JSONObject]:
    """The InferenceServices that refer to a Model."""
    return facts.objects.where(SERVICES.group, SERVICES.kind, _served_model, (namespace_of(model) or namespace, name_of(model)))


def _served_model(service: JSONObject) -> tuple[str, str]:
    return namespace_of(service), text(spec_of(service), "modelRef")


def model_named(namespace: str, name: str, facts: Facts, config: Configuration) -> JSONObject | None:
    """A Model as it is or will be in the cluster; `None` if it isn't known."""
    return MODELS.applied(facts, config, namespace, name)
