"""Which services of a Model a rule about the Model speaks of."""

from collections.abc import Callable
from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.subject.model import Model
from weighbridge.policies.families.llmkube.subject.references import services_of
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, name_of

#: How many services are named.
_MOST: Final = 3


def services_where(model: Model, holds: Callable[[JSONObject], bool]) -> str | None:
    """The names of the Model's services whose spec is such, empty where none is; `None` where no service of it is known."""
    services = list(services_of(model.object, model.namespace, model.facts))
    names = sorted(name_of(service) for service in services if holds(spec_of(service)))
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(names[:_MOST]) + more if services else None


def where_the_image_is_open(model: Model) -> str:
    """Where llama.cpp runs the operator's image, to end a sentence with; empty where each of the Model's services names an image."""
    names = services_where(model, _leaves_the_image_open)
    if names is None:
        return "unless the InferenceService sets spec.image"
    return f"for {names}: spec.image isn't set" if names else ""


def _leaves_the_image_open(spec: JSONObject) -> bool:
    from weighbridge.policies.families.llmkube.fill.images import LLAMA_CPP
    from weighbridge.policies.families.llmkube.predictions.service.workload import LLAMACPP

    return (text(spec, "runtime") or LLAMACPP) in LLAMA_CPP and not text(spec, "image")
