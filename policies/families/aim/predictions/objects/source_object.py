"""What aim-engine creates for a model source: an AIMClusterModel for each image of its filters.

A filter with a tag names its image, so its model is known. The images that any other filter finds depend on the registry, unless the
operator can't query it. Existing models count towards `maxModels`, and are never deleted.

Source: aim-engine v0.2.1, internal/aimclustermodelsource/{reconcile,registry,filtering,builder}.go; go-containerregistry v0.20, pkg/name.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import PAUSED, dialect_of, is_paused
from weighbridge.policies.families.aim.kinds import NEW
from weighbridge.policies.families.aim.predictions.names import hashed, joined
from weighbridge.policies.families.aim.subject.images import is_image
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.prediction import Prediction, condition
from weighbridge.policies.ground.fields import items, text, text_map, whole
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request

_DOCKER: Final = "docker.io"
#: Docker Hub's host, which is the registry of an image without one.
_INDEX: Final = (_DOCKER, "index.docker.io")
_MOST: Final = 100
_SUBJECT: Final = "the models of the source"


@dataclass(frozen=True, slots=True)
class Image:
    """An image of a registry; `uri` has no registry if that is Docker Hub."""

    registry: str
    repository: str
    tag: str

    @property
    def uri(self) -> str:
        """The image as a container refers to it."""
        named = f"{self.repository}:{self.tag}"
        return named if self.registry in ("", _DOCKER) else f"{self.registry}/{named}"


@dataclass(frozen=True, slots=True)
class _Found:
    """What a filter finds: its image, why it fails, or what isn't known."""

    image: Image | None = None
    failure: str = ""
    unknown: str = ""


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a source; `None` for kaiwo's, and for an object without a spec."""
    found, dialect = request.object, dialect_of(request.gvk.group)
    if request.subresource or not dialect.is_aim_engine or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    if is_paused(found, dialect):
        return Prediction(status={}, failure=f"the annotation {PAUSED} makes the operator leave the source alone")
    group, spec = dialect.group, spec_of(found)
    results = [_of_filter(text(one, "image"), spec) for one in items(spec, "filters")]
    unchecked = [Unchecked(_SUBJECT, one.unknown) for one in results if one.unknown]
    if not facts.objects.knows_all(group, "AIMClusterModel"):
        unchecked.append(Unchecked(_SUBJECT, "not all AIMClusterModels of the cluster are known"))
    held = facts.objects.where(group, "AIMClusterModel", _source_of, name_of(found))
    there = {text(spec_of(one), "image") for one in held}
    images = [one.image for one in results if one.image is not None]
    most = whole(spec, "maxModels", _MOST)
    new = [image for image in images if image.uri not in there][: max(most - len(there), 0)]
    objects = list({image: model_of_image(found, image, group) for image in new}.values())
    if unchecked:
        return Prediction(status={}, objects=objects, unchecked=unchecked)
    discovered = len(there) + len(objects)
    status: JSONObject = {**_health(results), "discoveredModels": discovered, "availableModels": len(images)}
    if len(images) > discovered:
        status["modelsLimitReached"] = True
    return Prediction(status={key: value for key, value in status.items() if value}, objects=objects)


def _source_of(model: JSONObject) -> str:
    """The source that a model comes from, as its label says."""
    return text_map(model, "metadata", "labels").get(f"{NEW}/model-source", "")


def _health(results: list[_Found]) -> JSONObject:
    """The state by the filters that fail."""
    failed, total = sum(bool(one.failure) for one in results), len(results)
    if not failed:
        return {"status": "Ready"}
    why = "; ".join(one.failure for one in results if one.failure)
    if failed < total:
        state, reason, message = "Degraded", "SomeFiltersFailed", f"{failed} of {total} filters had errors: {why}"
    else:
        state, reason, message = "Failed", "AllFiltersFailed", f"All {total} filters failed: {why}"
    return {"status": state, "conditions": [condition("FiltersReady", "False", reason, message)]}


def _of_filter(written: str, spec: JSONObject) -> _Found:
    host, slash, rest = written.partition("/")
    if "*" in written:
        # In a filter with a wildcard the first part is a host only if it has a dot.
        own, pattern = (host, rest) if slash and host and "." in host else ("", written)
        return _of_catalogue(own or text(spec, "registry") or _DOCKER, pattern, written, spec)
    if not is_image(written):
        return _Found(failure=f"{written} can't be read as an image")
    # In a filter without a wildcard, a port makes it a host as well.
    own, path = (host, rest) if slash and ("." in host or ":" in host) else ("", written)
    is_docker = not own or own in _INDEX
    registry = (text(spec, "registry") or _DOCKER) if is_docker else own
    repository, colon, tag = path.partition(":")
    if "@" in path or not (colon or ":" in written):
        return _Found(unknown=f"the tags of {repository.partition('@')[0]} in {registry} aren't known")
    if is_docker and "/" not in repository:
        repository = f"library/{repository}"
    # A port alone counts as a tag, so the image has the default tag.
    return _Found(Image(registry, repository, tag or "latest"))


def _of_catalogue(registry: str, pattern: str, written: str, spec: JSONObject) -> _Found:
    """The images that a filter with a wildcard finds: they depend on the registry, unless the owner or the credentials are missing."""
    owner = pattern.partition("/")[0].rstrip("*")
    if registry == _DOCKER or "hub.docker.com" in registry:
        if not owner:
            return _Found(failure=f"{written} names no namespace of Docker Hub")
    elif "ghcr.io" in registry:
        owner = pattern.removeprefix("/").partition("/")[0].rstrip("*")
        if not owner or "." in owner:
            return _Found(failure=f"{written} names no organization of GitHub")
        if not items(spec, "imagePullSecrets"):
            return _Found(failure=f"{written} needs a token for GitHub, and spec.imagePullSecrets is empty")
    return _Found(unknown=f"what {registry} lists for {written} isn't known")


def model_of_image(source: JSONObject, image: Image, group: str) -> JSONObject:
    """The model that a source creates for an image."""
    name = joined(image.repository, image.tag, suffix=hashed(image.registry, image.repository, image.tag, length=6))
    name_of_source = name_of(source)
    labels = {f"{group}/cluster-model-source.name": name_of_source, "app.kubernetes.io/managed-by": "aim-cluster-model-source-controller"}
    labels |= {f"{group}/model-source": name_of_source, f"{group}/origin": "auto-generated"}
    given = {"registry": image.registry, "repository": image.repository, "tag": image.tag}
    annotations = {f"{group}/source-{key}": value for key, value in given.items()}
    spec: JSONObject = {"image": image.uri}
    if secrets := items(spec_of(source), "imagePullSecrets"):
        spec["imagePullSecrets"] = secrets
    metadata = {"name": name, "labels": labels, "annotations": annotations}
    return {"apiVersion": f"{group}/v1alpha1", "kind": "AIMClusterModel", "metadata": metadata, "spec": spec}
