"""An InferenceService as it is written: its components and the objects that it names. Also finds the services that name a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import GROUP, PREFIX
from weighbridge.policies.ground.fields import part, text, texts
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, namespace_of

#: The components that get an accelerator class.
ACCELERATED: Final = ("engine", "decoder")


def annotation(service: JSONObject, name: str) -> str | None:
    """An annotation of OME, by its name without the prefix; `None` if the service has none."""
    found = part(service, "metadata", "annotations").get(PREFIX + name)
    return found if isinstance(found, str) else None


def has_component(service: JSONObject, component: str) -> bool:
    """Whether the service names a component; without it the runtime's configuration of the component has no effect."""
    return isinstance(spec_of(service).get(component), dict)


def has_full_runner(service: JSONObject) -> bool:
    """Whether the engine has its own container with an image, so that OME's webhook requires no runtime."""
    engine = part(spec_of(service), "engine")
    if text(part(engine, "runner"), "image"):
        return True
    return all(text(part(engine, role, "runner"), "image") for role in ("leader", "worker"))


def demanded_classes(service: JSONObject) -> tuple[str, ...]:
    """The accelerator classes that a runtime must list, all of them; an empty name counts as a name."""
    return tuple(dict.fromkeys(name for name, _ in named_classes(service)))


def named_classes(service: JSONObject) -> list[tuple[str, Path]]:
    """The accelerator classes that a service names, each with its field."""
    spec = spec_of(service)
    places: list[tuple[JSONValue, Path]] = [
        (annotation(service, "accelerator-class"), ("metadata", "annotations", f"{PREFIX}accelerator-class")),
        (part(spec, "acceleratorSelector").get("acceleratorClass"), ("spec", "acceleratorSelector", "acceleratorClass")),
    ]
    for component in ACCELERATED:
        path = ("spec", component, "acceleratorOverride", "acceleratorClass")
        places.append((part(spec, component, "acceleratorOverride").get("acceleratorClass"), path))
    return [(name, path) for name, path in places if isinstance(name, str)]


def model_name(service: JSONObject) -> str:
    """The name of the model."""
    return text(part(spec_of(service), "model"), "name")


def runtime_name(service: JSONObject) -> str:
    """The name of the runtime; empty if one is selected."""
    return text(part(spec_of(service), "runtime"), "name")


def weight_names(service: JSONObject) -> tuple[str, ...]:
    """The names of the fine-tuned weights."""
    return texts(part(spec_of(service), "model"), "fineTunedWeights")


def services_of_model(facts: Facts, kind: str, namespace: str, name: str) -> Iterator[JSONObject]:
    """The services that name a model and really get it."""
    for service in facts.objects.where(GROUP, "InferenceService", model_name, name):
        if kind == "BaseModel":
            if namespace_of(service) == namespace:
                yield service
        elif facts.objects.get(GROUP, "BaseModel", namespace_of(service), name) is None:
            yield service
