"""The objects that OME makes for small services, for tests that check single objects."""

from __future__ import annotations

import json
from typing import Any

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.kinds import CRDS
from weighbridge.policies.families.ome.operator import CONFIG, NAMESPACE
from weighbridge.policies.families.ome.predictions.merge.components import Component, components_of
from weighbridge.policies.families.ome.predictions.merge.pods import CommonPart, PodError
from weighbridge.policies.families.ome.predictions.merge.workloads import Maker
from weighbridge.policies.families.ome.subject.model import read_model
from weighbridge.policies.ground.objects import JSONObject

RUNNER = {"name": "server", "image": "sglang:1"}
LABELS = {
    "ome.io/inferenceservice": "chat",
    "serving-runtime": "srt",
    "base-model-name": "llama",
    "base-model-size": "SMALL",
    "base-model-type": "Serving",
    "fine-tuned-serving": "false",
}
ANNOTATIONS = {
    "ome.io/serving-runtime": "srt",
    "ome.io/base-model-name": "llama",
    "ome.io/base-model-format": "safetensors",
}


def facts_of(settings: JSONObject | None = None, *installed: str) -> Facts:
    """A cluster with only the CRDs of these groups, and, if given, the settings of OME's manager, each key as JSON."""
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": CONFIG, "namespace": NAMESPACE}}
    data = {key: value if isinstance(value, str) else json.dumps(value) for key, value in (settings or {}).items()}
    crds = [_crd(group) for group in (installed or ("keda.sh", "leaderworkerset.x-k8s.io", "ray.io", "serving.knative.dev"))]
    facts = from_objects([*([{**config, "data": data}] if settings is not None else []), *crds], Definitions())
    facts.objects.complete(besides=[CRDS.known_as])
    return facts


def _crd(group: str) -> JSONObject:
    spec = {"group": group, "names": {"kind": "Any", "plural": "any"}, "scope": "Namespaced", "versions": []}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"any.{group}"},
        "spec": spec,
    }


def maker(spec: JSONObject, runtime: JSONObject | None = None, name: str = "chat", facts: Facts | None = None, **metadata: Any) -> Maker:
    """Makes the objects of a service with a spec on a runtime with a spec."""
    service = {"metadata": {"name": name, "namespace": "shop", **metadata}, "spec": spec}
    srt = {"kind": "ServingRuntime", "metadata": {"name": "srt"}, "spec": runtime or {}}
    format_and_place = {"modelFormat": {"name": "safetensors"}, "storage": {"path": "/m"}}
    model = read_model({"kind": "ClusterBaseModel", "metadata": {"name": "llama"}, "spec": format_and_place})
    components: list[Component] = components_of(service, srt)
    return Maker(service, components, {one.name: CommonPart(service, model, srt) for one in components}, facts or facts_of())


def objects(spec: JSONObject, runtime: JSONObject | None = None, name: str = "chat", **metadata: Any) -> list[JSONObject]:
    """The objects made for a service with a spec on a runtime with a spec."""
    return list(maker(spec, runtime, name, **metadata).objects())


def kinds(objects: list[JSONObject]) -> list[str]:
    return [f"{obj['kind']}/{obj['metadata']['name']}" for obj in objects]


def until_it_stops(maker: Maker) -> list[str]:
    """The objects that are made until OME stops."""
    found: list[JSONObject] = []
    try:
        found.extend(maker.objects())
    except PodError:
        return kinds(found)
    raise AssertionError("OME doesn't stop")
