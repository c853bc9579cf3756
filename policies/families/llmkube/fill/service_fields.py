"""Fields of an InferenceService that Weighbridge fills in; its Model must be known.

While the Model isn't known, Weighbridge fills in nothing. The Model may come later in the same rollout; Weighbridge then fills in the
fields at the next update of the service. A Model with accelerator metal has no pod, so its services get nothing. `runtimeClassName` is the
configured one for the GPU's vendor (`llmkube.runtimeClassNames`), for pods that get a GPU.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.updates import settle_items, settle_value
from weighbridge.policies.families.fill.value import Filling, fields_of_spec
from weighbridge.policies.families.llmkube.fill.images import PATH as IMAGE
from weighbridge.policies.families.llmkube.fill.images import image
from weighbridge.policies.families.llmkube.fill.model_download import PATH as SKIP_MODEL_INIT
from weighbridge.policies.families.llmkube.fill.model_download import skip_model_init
from weighbridge.policies.families.llmkube.fill.ports import PATH as PORT
from weighbridge.policies.families.llmkube.fill.ports import added_with_port, port
from weighbridge.policies.families.llmkube.fill.render_group import GROUPS, groups, security_context
from weighbridge.policies.families.llmkube.fill.render_group import PATH as SECURITY_CONTEXT
from weighbridge.policies.families.llmkube.fill.situation import ITEM_NO_LONGER, Situation
from weighbridge.policies.families.llmkube.fill.tolerations import PATH as TOLERATIONS
from weighbridge.policies.families.llmkube.fill.tolerations import tolerations
from weighbridge.policies.families.llmkube.operator import KnownOperator, operator_of
from weighbridge.policies.families.llmkube.predictions.service.workload import workload
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.families.llmkube.subject.references import model_of
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, namespace_of
from weighbridge.policies.ground.request import Request

_Found = TypeVar("_Found", bound=Filling | list[Filling] | None)
RUNTIME_CLASS: Final[Path] = ("spec", "runtimeClassName")
_NO_LONGER: Final = "the value that was filled in before no longer fits the Model and the runtime"


def runtime_class(situation: Situation) -> Filling | None:
    """The configured runtime class of the vendor, for pods that get a GPU."""
    vendor = situation.gpus.vendor
    name = situation.config.settings_of(LLMKube).runtime_class_names.of(vendor) if situation.gpus.present else None
    return Filling(name, "configuration", f"llmkube.runtimeClassNames.{vendor}") if name else None


#: Fields with one value, each with the function that decides it.
_VALUES: Final[tuple[tuple[Path, Callable[[Situation], Filling | None]], ...]] = (
    (IMAGE, image),
    (RUNTIME_CLASS, runtime_class),
    (SECURITY_CONTEXT, security_context),
    (PORT, port),
    (SKIP_MODEL_INIT, skip_model_init),
)
#: Lists to which items are added, each with the function that decides which.
_LISTS: Final[tuple[tuple[Path, Callable[[Situation], list[Filling]]], ...]] = ((GROUPS, groups), (TOLERATIONS, tolerations))


def fill(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in an InferenceService."""
    operator = operator_of(facts, config)
    now = _situation(mutation.object, request, operator, facts, config)
    if now is None:
        return
    known = fields_of_spec(request.gvk, facts)
    for path, decide in _VALUES:
        if known is None or path[1] in known:
            removed = added_with_port(spec_of(mutation.object)) if path == PORT else path
            settle_value(mutation, path, partial(_derived, decide, now, None), no_longer=_NO_LONGER, removed=removed)
    for path, decide_all in _LISTS:
        if known is None or path[1] in known:
            settle_items(mutation, path, partial(_derived, decide_all, now, list[Filling]()), no_longer=ITEM_NO_LONGER)


def _derived(decide: Callable[[Situation], _Found], now: Situation, nothing: _Found, service: JSONObject) -> _Found:
    """What follows for a field from a state of the service: nothing on metal."""
    return nothing if now.workload.is_metal else decide(now.with_service(service))


def _situation(service: JSONValue, request: Request, operator: KnownOperator, facts: Facts, config: Configuration) -> Situation | None:
    """The service with its Model; `None` if the Model isn't known."""
    model = model_of(service, request.namespace, facts, config) if isinstance(service, dict) else None
    return (
        None if model is None else Situation(workload(service, model, namespace_of(service) or request.namespace, operator, facts), config)
    )
