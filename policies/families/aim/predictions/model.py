"""The model that the operator finds for a service.

A name is looked for in the service's namespace, then in the cluster; an image is compared, as text, with every model's.

Source: kaiwo dbca1b55, internal/controller/aim/shared/service_observation.go; aim-engine v0.2.1, internal/aimservice/model.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.names import custom_model_name, image_model_name, kaiwo_model_name
from weighbridge.policies.families.aim.subject.references import find, models
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass

#: The reason if the server refuses the operator's object.
REFUSED: Final = "InfrastructureError"


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """The model, or why there is none.

    `created` is the name of the model that the operator creates from an image or a description; `failure` is the operator's message if the
    service ends there; `unknown` says which fact is missing.
    """

    model: JSONObject | None = None
    created: str = ""
    failure: str = ""
    reason: str = ""
    unknown: str = ""

    @property
    def name(self) -> str:
        """The model's name; also the name of one that will be created."""
        return name_of(self.model) if self.model is not None else self.created

    @property
    def scope(self) -> str:
        """`Namespace` or `Cluster`."""
        return "Namespace" if self.model is None or namespace_of(self.model) else "Cluster"

    @property
    def status(self) -> str:
        """The status that the operator wrote into it; empty if it wrote none yet."""
        return text(part(self.model, "status"), "status")


def predict_model(spec: JSONObject, dialect: Dialect, namespace: str, facts: Facts, config: Configuration) -> ResolvedModel:
    """The model of a service's spec."""
    asked = part(spec, "model")
    name, image = text(asked, dialect.reference).strip(), text(asked, "image").strip()
    if name:
        return _named(name, dialect, namespace, facts, config)
    if image:
        return _of_image(image, dialect, namespace, facts)
    if part(asked, "custom"):
        return _described(part(asked, "custom"), dialect, namespace, facts)
    return ResolvedModel(failure="no model specified in service spec", reason="ModelNotFound")


def _named(name: str, dialect: Dialect, namespace: str, facts: Facts, config: Configuration) -> ResolvedModel:
    own, of_cluster = models(dialect.group)
    found = find(own, facts, config, namespace, name)
    if found is None and own.is_missing(facts, namespace, name) is None:
        return ResolvedModel(unknown=own.unknown)
    found = found or find(of_cluster, facts, config, "", name)
    if found is not None:
        return ResolvedModel(found)
    if of_cluster.is_missing(facts, "", name) is None:
        return ResolvedModel(unknown=of_cluster.unknown)
    return ResolvedModel(failure=f'model "{name}" not found in namespace {namespace} or cluster scope', reason="ModelNotFound")


def _of_image(image: str, dialect: Dialect, namespace: str, facts: Facts) -> ResolvedModel:
    own, of_cluster = models(dialect.group)
    found = same_image(image, dialect.group, namespace, facts)
    if len(found) == 1:
        return ResolvedModel(found[0])
    if found:
        named = ", ".join(_placed(model) for model in found)
        reason = "UnknownError" if dialect.is_aim_engine else "MultipleModelsFound"
        return ResolvedModel(failure=f'multiple models found with the same image with image "{image}": {named}', reason=reason)
    for kind in (own, of_cluster):
        if not facts.objects.knows_all(kind.group, kind.kind):
            return ResolvedModel(unknown=kind.unknown)
    created = image_model_name(image) if dialect.is_aim_engine else kaiwo_model_name(image)
    if not created:
        return ResolvedModel(failure=f'invalid image reference "{image}"', reason="InvalidImageReference")
    return ResolvedModel(created=created)


def same_image(image: str, group: str, namespace: str, facts: Facts) -> list[JSONObject]:
    """The models of a namespace (none if it is empty) and of the cluster that have exactly this image."""
    own, of_cluster = models(group)
    near = facts.objects.where(group, own.kind, _image_of, (namespace, image)) if namespace else ()
    return [*near, *facts.objects.where(group, of_cluster.kind, _image_of, ("", image))]


def _described(custom: JSONObject, dialect: Dialect, namespace: str, facts: Facts) -> ResolvedModel:
    """A model of the namespace with the same image and sources, whatever its hardware is; if there is none, one will be created."""
    wanted = text(custom, "baseImage"), [_source(source) for source in items(custom, "modelSources")]
    own = models(dialect.group)[0]
    for model in facts.objects.where(dialect.group, own.kind, _image_of, (namespace, wanted[0])):
        if [_source(source) for source in items(spec_of(model), "modelSources")] == wanted[1]:
            return ResolvedModel(model)
    if not facts.objects.knows_all(own.group, own.kind):
        return ResolvedModel(unknown=own.unknown)
    made = custom_model_name(*wanted)
    if not wanted[0]:
        return ResolvedModel(created=made, failure=f"AIMModel {made} would be refused: its image is empty", reason=REFUSED)
    return ResolvedModel(created=made)


def _image_of(model: JSONObject) -> tuple[str, str]:
    """The namespace of a model and its image."""
    return namespace_of(model), text(spec_of(model), "image")


def _source(source: JSONObject) -> tuple[str, str, str]:
    endpoint = next((text(entry, "value") for entry in items(source, "env") if text(entry, "name") == "AWS_ENDPOINT_URL"), "")
    return text(source, "modelId"), text(source, "sourceUri"), endpoint


def _placed(model: JSONObject) -> str:
    namespace = namespace_of(model)
    return f"{namespace}/{name_of(model)} (namespace)" if namespace else f"{name_of(model)} (cluster)"
