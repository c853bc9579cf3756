"""What aim-engine creates for a model: its service templates.

A model with its own sources gets a template for each of its `customTemplates`, or one template if it has none. Any other model gets one for
each deployment that its image recommends, and the custom ones. The recommendations are known if the model or its status has them.

Source: aim-engine v0.2.1, internal/aimmodel/reconcile.go, template.go and hardware.go; internal/aimservicetemplate/utils.go
(GenerateTemplateName); api/v1alpha1/aimmodel_shared.go (ExpectsTemplates).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import PAUSED, Dialect, dialect_of, is_paused
from weighbridge.policies.families.aim.kinds import NEW
from weighbridge.policies.families.aim.predictions.configuration import runtime_config
from weighbridge.policies.families.aim.predictions.environment import merge_environment
from weighbridge.policies.families.aim.predictions.go_form import spec_in_go
from weighbridge.policies.families.aim.predictions.labels import propagated
from weighbridge.policies.families.aim.predictions.names import hashed, joined
from weighbridge.policies.families.aim.subject.gpus import RESOURCE
from weighbridge.policies.families.aim.subject.references import models
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.fields import items, part, text, whole
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import JSONObject, JSONValue, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.request import Request

_PRECISIONS: Final = ("auto", "fp4", "fp8", "fp16", "fp32", "bf16", "int4", "int8")
_SHORT: Final = {"latency": "lat", "throughput": "thr"}


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a model; `None` for kaiwo's, and for an object without a spec."""
    found, dialect = request.object, dialect_of(request.gvk.group)
    if request.subresource or not dialect.is_aim_engine or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    if is_paused(found, dialect):
        return Prediction(status={}, failure=f"the annotation {PAUSED} makes the operator leave the model alone")
    is_clusters = request.gvk.kind.startswith("AIMCluster")
    namespace = "" if is_clusters else namespace_of(found) or request.namespace or "default"
    model = {**found, "metadata": {**metadata_of(found), "namespace": namespace}}
    configs = runtime_config(dialect, text(spec_of(model), "runtimeConfigName"), namespace, facts, config)
    if configs.is_missing:
        return Prediction(status={"status": "Failed"}, waits=f"RuntimeConfig {configs.name} not found")
    unchecked = [Unchecked("what AIM does with it", f"{name} isn't known, and is taken for absent") for name in configs.unknown]
    templates, refusal = applied_templates(model, dialect, configs.spec)
    if templates is None:
        unchecked.append(Unchecked("the templates of the model", "what its image recommends isn't known"))
        return Prediction(status={}, unchecked=unchecked)
    waits = refusal or ("its templates have to get ready" if templates else "")
    return Prediction(status={}, objects=templates, waits=waits, unchecked=unchecked)


def applied_templates(model: JSONObject, dialect: Dialect, config: JSONObject) -> tuple[list[JSONObject] | None, str]:
    """The templates that a model gets, and the API server's refusal of the next one.

    They are applied in the order of their names, up to the first refused one. `None` if they depend on the image. `config` decides which
    labels of the model they get.
    """
    templates = templates_of(model, dialect)
    if templates is None:
        return None, ""
    name, kind = name_of(model), "model" if namespace_of(model) else "cluster-model"
    added = {f"{dialect.group}/{kind}.name": name, "app.kubernetes.io/managed-by": f"aim-{kind}-controller"}
    for one in templates:
        one["metadata"]["labels"] = added | propagated(model, config, dialect) | one["metadata"]["labels"]
    templates.sort(key=name_of)
    for index, one in enumerate(templates):
        if refusal := _refusal(one):
            return templates[:index], f"the server refuses {one['kind']} {name_of(one)}: {refusal}"
    return templates, ""


def _refusal(template: JSONObject) -> str:
    """Why the server refuses a template: a value that the CRD doesn't have, or two fields that exclude each other; empty if it doesn't."""
    spec = spec_of(template)
    for key, known in (("metric", _SHORT), ("precision", _PRECISIONS)):
        if text(spec, key) and text(spec, key) not in known:
            return f"spec.{key} has no value {text(spec, key)}"
    gpu = part(spec, "hardware", "gpu")
    return "spec.hardware.gpu has both model and minVram" if text(gpu, "model") and "minVram" in gpu else ""


def templates_of(model: JSONObject, dialect: Dialect) -> list[JSONObject] | None:
    """The templates that are created for a model; `None` if they depend on its image."""
    spec = spec_of(model)
    discovery = spec.get("discovery")
    if isinstance(discovery, dict) and discovery.get("createServiceTemplates") is False:
        return []
    if items(spec, "modelSources"):
        return _custom(model, dialect)
    metadata = spec.get("imageMetadata") if spec.get("imageMetadata") is not None else part(model, "status").get("imageMetadata")
    if not isinstance(metadata, dict):
        return None
    recommended = [_recommended(model, one, dialect) for one in items(metadata, "model", "recommendedDeployments")]
    return [*recommended, *(_custom(model, dialect) if items(spec, "customTemplates") else [])]


def _template(model: JSONObject, name: str, spec: JSONObject, dialect: Dialect, alias: str = "") -> JSONObject:
    """A template with the fields that all templates of a model get from it."""
    namespace, group = namespace_of(model), dialect.group
    labels = {f"{group}/model": name_of(model), f"{group}/origin": "auto-generated"} | ({f"{group}/template.alias": alias} if alias else {})
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {}) | {"labels": labels}
    given = {"modelName": name_of(model)} | {key: spec_of(model).get(key) for key in ("imagePullSecrets", "serviceAccountName")} | spec
    kind = "AIMServiceTemplate" if namespace else "AIMClusterServiceTemplate"
    kept = {key: value for key, value in given.items() if value not in (None, "", [], {})}
    return {"apiVersion": f"{group}/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec_in_go(kept)}


def _custom(model: JSONObject, dialect: Dialect) -> list[JSONObject]:
    written = items(spec_of(model), "customTemplates")
    if not written:
        return [_custom_template(model, {}, [0], dialect)]
    made = []
    for index, one in enumerate(written):
        inputs: list[JSONValue] = [index, text(one, "name")]
        if isinstance(one.get("profile"), dict):
            inputs += [text(part(one, "profile"), "precision"), text(part(one, "profile"), "metric")]
        gpu = part(one, "hardware").get("gpu")
        if isinstance(gpu, dict):
            inputs += [whole(gpu, "requests"), text(gpu, "model")]
        made.append(_custom_template(model, one, inputs, dialect))
    return made


def _custom_template(model: JSONObject, custom: JSONObject, inputs: list[JSONValue], dialect: Dialect) -> JSONObject:
    spec, profile = spec_of(model), part(custom, "profile")
    words = [text(custom, "name"), text(profile, "precision"), text(part(custom, "hardware", "gpu"), "model")]
    name = joined(name_of(model), "custom", *filter(None, words), suffix=hashed(name_of(model), *inputs))
    hardware = _merged(part(spec, "custom").get("hardware"), custom.get("hardware"))
    cpu = part(hardware, "cpu")
    resources: JSONObject = {"requests": {"cpu": cpu["requests"]}} if cpu.get("requests") is not None else {}
    if cpu.get("limits") is not None:
        resources["limits"] = {"cpu": cpu["limits"]}
    made = {
        "modelSources": items(spec, "modelSources"),
        "type": text(custom, "type") or text(part(spec, "custom"), "type") or "unoptimized",
        "env": merge_environment(items(spec, "env"), items(custom, "env"), merges_arguments=False) if namespace_of(model) else [],
        "hardware": hardware,
        "resources": resources,
        "metric": text(profile, "metric"),
        "precision": text(profile, "precision"),
    }
    return _template(model, name, made, dialect, text(custom, "name"))


def _merged(default: JSONValue, own: JSONValue) -> JSONObject:
    """The hardware of a template merged over its model's; the minimum memory of a GPU is always the model's."""
    if not isinstance(default, dict) or not isinstance(own, dict):
        found = own if isinstance(own, dict) else default
        return found if isinstance(found, dict) else {}
    out = dict(default)
    if isinstance(gpu := own.get("gpu"), dict):
        held = default.get("gpu")
        over = {key: gpu[key] for key in ("requests", "model", "resourceName") if gpu.get(key)}
        out["gpu"] = {**held, **over} if isinstance(held, dict) else gpu
    if isinstance(cpu := own.get("cpu"), dict):
        out["cpu"] = {**part(default, "cpu"), **cpu}
    return out


def _recommended(model: JSONObject, deployment: JSONObject, dialect: Dialect) -> JSONObject:
    """The template of a deployment that the image recommends."""
    image = text(spec_of(model), "image")
    gpu, count = text(deployment, "gpuModel"), whole(deployment, "gpuCount")
    metric, precision = text(deployment, "metric"), text(deployment, "precision")
    first = f"{count}x-{gpu}" if count > 0 and gpu else gpu or (f"x{count}" if count > 0 else "")
    words = "-".join(filter(None, (first, _SHORT.get(metric, metric), precision)))
    told = [name_of(model), image, gpu, f"x{count}" if count > 0 else "", metric, precision]
    name = joined(image, words, suffix=hashed("-".join([*told[:2], *filter(None, told[2:])]), length=4))
    made: JSONObject = {"metric": metric, "precision": precision, "profileId": text(deployment, "profileId")}
    if gpu and count > 0:
        made["hardware"] = {"gpu": {"requests": count, "model": gpu, "resourceName": RESOURCE}}
    return _template(model, name, made, dialect)


def comes_with_a_model(name: str, scope: str, namespace: str, group: str, facts: Facts) -> bool:
    """Whether the operator will create a template of this name for a model that it hasn't reconciled yet, in a scope (empty: in either)."""
    own, of_cluster = models(group)
    dialect = dialect_of(group)
    if not dialect.is_aim_engine:
        return False
    kinds = [(own, namespace)] * (scope != "Cluster") + [(of_cluster, "")] * (scope != "Namespace")
    store = facts.objects
    return any(store.read_where(group, kind.kind, _new_templates, _placed_names, (place, name)) for kind, place in kinds)


def _new_templates(model: JSONObject) -> tuple[str, Collection[str]]:
    """The namespace of a model, and the names of the templates that it makes if the operator hasn't looked at it yet."""
    dialect = dialect_of(NEW)
    if part(model, "status").get("status") or is_paused(model, dialect):
        return namespace_of(model), ()
    return namespace_of(model), dict.fromkeys(map(name_of, applied_templates(model, dialect, {})[0] or ()))


def _placed_names(templates: tuple[str, Collection[str]]) -> Iterator[Hashable]:
    namespace, names = templates
    return ((namespace, name) for name in names)
