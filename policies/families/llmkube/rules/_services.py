"""The services of a Model that a rule about the Model names."""

from collections.abc import Callable
from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.subject.model import Model
from weighbridge.policies.families.llmkube.subject.references import services_of
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, name_of

#: The most services that a message names.
_MOST: Final = 3


def services_where(model: Model, holds: Callable[[JSONObject], bool]) -> str | None:
    """The names of the Model's services whose spec satisfies the condition, empty if none does; `None` if no service of the Model is
    known.
    """
    services = list(services_of(model.object, model.namespace, model.facts))
    names = sorted(name_of(service) for service in services if holds(spec_of(service)))
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(names[:_MOST]) + more if services else None


def where_the_image_is_open(model: Model) -> str:
    """The end of a sentence that says for which services llama.cpp runs the operator's image; empty if each of the Model's services names
    an image.
    """
    names = services_where(model, _leaves_the_image_open)
    if names is None:
        return "unless the InferenceService sets spec.image"
    return f"for {names}: spec.image isn't set" if names else ""


def _leaves_the_image_open(spec: JSONObject) -> bool:
    from weighbridge.policies.families.llmkube.fill.images import LLAMA_CPP
    from weighbridge.policies.families.llmkube.predictions.service.workload import LLAMACPP

    return (text(spec, "runtime") or LLAMACPP) in LLAMA_CPP and not text(spec, "image")
