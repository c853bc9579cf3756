"""Which Playgrounds and Services depend on a model or a runtime, as keys under which the store files them.

Source: llmaz 3c13ff3, pkg/controller/inference: the controllers look up both only by name.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.llmaz.kinds import BACKEND_RUNTIME, OPEN_MODEL
from weighbridge.policies.families.llmaz.operator import CONFIG, NAMESPACE
from weighbridge.policies.families.llmaz.subject.claims import claims_of
from weighbridge.policies.families.llmaz.subject.runtime import choice_of
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

_CONFIG_MAP: Final = "ConfigMap"


def goes_by(obj: JSONObject) -> Iterator[Hashable]:
    """The keys of a Playground or a Service: its models, and the runtime that it names or gets by default."""
    claims = claims_of(obj)
    for model in claims.models:
        yield OPEN_MODEL.kind, model.name
    yield BACKEND_RUNTIME.kind, choice_of(obj, claims).runtime
    yield _CONFIG_MAP, CONFIG


def keys(obj: JSONObject, facts: Facts) -> Iterator[Hashable]:
    """The key of the objects that depend on a model, a runtime, or the ConfigMap of the controllers."""
    if obj.get("kind") != _CONFIG_MAP or namespace_of(obj) == NAMESPACE:
        yield obj.get("kind"), name_of(obj)
