"""What kaiwo does with a template, a template cache and a model cache, without a service.

A template that names its sources is ready, whatever its model and its GPU are. For a ready template kaiwo creates a ServingRuntime of
KServe, for any other a job that discovers it. It creates neither if the model or the GPU is missing.

Source: kaiwo dbca1b55, internal/controller/aim/shared/template.go (ProjectTemplateStatus, PlanTemplateResources),
aimservicetemplate_controller.go, aimtemplatecache_controller.go, aimmodelcache_controller.go and aimkvcache_controller.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.predictions.caches.kaiwo_caches import cache_of_template, caches_of, claim_of_cache
from weighbridge.policies.families.aim.predictions.caches.kv_cache import redis_of, service_name, stateful_set_name
from weighbridge.policies.families.aim.predictions.caches.volumes import DSHM, DSHM_MOUNT
from weighbridge.policies.families.aim.predictions.configuration import runtime_config
from weighbridge.policies.families.aim.predictions.kaiwo import OPERATOR_NAMESPACE
from weighbridge.policies.families.aim.predictions.labels import kaiwo_label
from weighbridge.policies.families.aim.predictions.objects.discovery import discovery_job, refused_job, repeated_variables
from weighbridge.policies.families.aim.predictions.template import has_gpu
from weighbridge.policies.families.aim.predictions.workload import PORT
from weighbridge.policies.families.aim.subject.gpus import RESOURCE, normalised
from weighbridge.policies.families.aim.subject.references import find, models, templates
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.prediction import Prediction, condition
from weighbridge.policies.ground.fields import flag, items, part, text, whole
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, lookup, name_of, namespace_of
from weighbridge.policies.ground.records import replace

_SUBJECT: Final = "what AIM does with it"
_RUNTIME_LABELS: Final = {"name": "aim-runtime", "component": "serving-runtime", "managed-by": "aim-controller"}


def predict_template(template: JSONObject, dialect: Dialect, facts: Facts, config: Configuration) -> Prediction:
    """The status of a template, and the cache that a template of a namespace creates for itself; a cluster template has the configs of the
    operator's namespace.
    """
    spec, namespace = spec_of(template), namespace_of(template)
    configs = runtime_config(dialect, text(spec, "runtimeConfigName"), namespace or OPERATOR_NAMESPACE, facts, config)
    unchecked = [Unchecked(_SUBJECT, f"{name} isn't known, and is taken for absent") for name in configs.unknown]
    if configs.is_missing:
        return _ends("Failed", "Failed", f'runtime config "{configs.name}" not found', is_failure=True)
    written = part(template, "status")
    is_inline = bool(items(spec, "modelSources"))
    sources = items(spec, "modelSources") if is_inline else items(written, "modelSources")
    caches = flag(part(spec, "caching"), "enabled") and namespace and sources
    objects = [cache_of_template(template, configs.spec, dialect)] if caches else []
    available, model = has_gpu(template, dialect, facts), normalised(text(lookup(spec, dialect.hardware), "model"), dialect)
    image, unknown = _image(text(spec, "modelName"), namespace, dialect, facts, config)
    if available is None and model:
        unknown = "the nodes of the cluster aren't known"
    if unknown:
        subject = "its ServingRuntime" if is_inline else _SUBJECT
        unchecked.append(Unchecked(subject, unknown))
    is_known, has_means = not unknown, not unknown and available is not False and image
    is_new, is_ready = text(written, "status") != "Ready", is_inline or (has_means and text(written, "status") == "Ready")
    # At the first reconcile a template that names its sources isn't Ready either, and gets a job whose results aren't read.
    if has_means and is_new and namespace:
        job = discovery_job(template, image, {}, configs.spec, dialect)
        if again := repeated_variables(template, dialect):
            return replace(_refused(refused_job(job, again)), objects=objects, unchecked=unchecked)
        objects.insert(0, job)
    if is_ready:
        objects += [serving_runtime(template, image)] if has_means else []
        told = {"status": "Ready"} | ({"modelSources": sources} if is_inline else {})
        return Prediction(status=told, objects=objects, unchecked=unchecked, placed=tuple)
    if not is_known:
        return Prediction(status={}, objects=objects, unchecked=unchecked)
    if available is False:
        return _ends("NotAvailable", "GPUUnavailable", f'Required GPU model "{model}" is not available in the cluster')
    if not image:
        kinds = "AIMModel or AIMClusterModel" if namespace else "AIMClusterModel"
        message = f'No {kinds} found for image name "{text(spec, "modelName")}"'
        return _ends("Degraded", "ImageNotFound", message, is_failure=True)
    return Prediction(
        status={"status": "Progressing"}, objects=objects, waits="a job has to discover it", unchecked=unchecked, placed=tuple
    )


def _refused(message: str) -> Prediction:
    """The end of a template whose job is refused, again at every reconcile."""
    told = f"Apply failed: {message}"
    ended = [condition("Failure", "True", "Failed", told), condition("Ready", "False", "Failed", "Template is not ready due to errors")]
    return Prediction({"status": "Failed", "conditions": ended}, failure=told, weight=Severity.ERROR)


def serving_runtime(template: JSONObject, image: str) -> JSONObject:
    """The ServingRuntime of a ready template, or the ClusterServingRuntime of a cluster template."""
    spec, name, namespace = spec_of(template), name_of(template), namespace_of(template)
    resource = text(part(spec, "gpuSelector"), "resourceName") or RESOURCE
    count = str(whole(part(template, "status", "profile", "metadata"), "gpuCount"))
    container = {
        "name": "kserve-container",
        "image": image,
        "env": [{"name": "VLLM_ENABLE_METRICS", "value": "true"}],
        "resources": {"requests": {resource: count}, "limits": {resource: count}},
        "ports": [{"containerPort": PORT, "name": "http", "protocol": "TCP"}],
        "volumeMounts": [DSHM_MOUNT],
    }
    labels = {f"app.kubernetes.io/{key}": value for key, value in _RUNTIME_LABELS.items()}
    labels |= {f"{OLD}/model-id": kaiwo_label(text(spec, "modelName"))}
    metadata: JSONObject = {"name": name, "labels": labels} | ({"namespace": namespace} if namespace else {})
    secrets = items(spec, "imagePullSecrets")
    runtime = {
        "storageHelper": {"disabled": True},
        "supportedModelFormats": [{"name": "aim", "version": "1"}],
        **({"imagePullSecrets": secrets} if secrets else {}),
        "containers": [container],
        "volumes": [DSHM],
    }
    kind = "ServingRuntime" if namespace else "ClusterServingRuntime"
    return {"apiVersion": "serving.kserve.io/v1alpha1", "kind": kind, "metadata": metadata, "spec": runtime}


def _ends(state: str, reason: str, message: str, *, is_failure: bool = False) -> Prediction:
    """The prediction for a template that waits until its config, its GPU or its model exists."""
    told = [condition("Failure", "True" if is_failure else "False", reason, message), condition("Ready", "False", reason, message)]
    return Prediction(status={"status": state, "conditions": told}, waits=message)


def _image(name: str, namespace: str, dialect: Dialect, facts: Facts, config: Configuration) -> tuple[str, str]:
    """The image of a template's model, which is looked for in the namespace, then in the cluster; without one, the fact that is missing, if
    any.
    """
    own, of_cluster = models(dialect.group)
    for kind, scope in ((own, namespace), (of_cluster, "")) if namespace else ((of_cluster, ""),):
        found = find(kind, facts, config, scope, name)
        if found is not None:
            return text(spec_of(found), "image"), ""
        if kind.is_missing(facts, scope, name) is None:
            return "", kind.unknown
    return "", ""


def predict_cache(cache: JSONObject, dialect: Dialect, facts: Facts, config: Configuration) -> Prediction:
    """The model caches that a template cache creates, and its status by the existing ones."""
    own, of_cluster = templates(dialect.group)
    name = text(spec_of(cache), "templateRef")
    for kind, scope in ((own, namespace_of(cache)), (of_cluster, "")):
        template = find(kind, facts, config, scope, name)
        if template is not None:
            objects, status = caches_of(cache, template, dialect, facts)
            waits = "its model caches have to be filled" if objects else ""
            return Prediction(status={"status": status}, objects=objects, waits=waits)
        if kind.is_missing(facts, scope, name) is None:
            return Prediction(status={}, unchecked=[Unchecked(_SUBJECT, kind.unknown)])
    waits = f'Waiting for template "{name}" to be created'
    told = condition("TemplateNotFound", "True", "AwaitingTemplate", waits)
    return Prediction(status={"status": "Pending", "conditions": [told]}, waits=waits)


def predict_kv_cache(cache: JSONObject) -> Prediction:
    """The Service and the StatefulSet of a cache of keys and values."""
    redis = redis_of(cache)
    told: JSONObject = {"status": "Progressing", "statefulSetName": stateful_set_name(cache), "serviceName": service_name(cache)}
    if redis.failure:
        message = f"Apply failed: {redis.failure}"
        failed = [condition("Failure", "True", "StatefulSetFailed", message), condition("Ready", "False", "StatefulSetFailed", message)]
        told |= {"status": "Failed", "lastError": message, "conditions": failed}
        return Prediction(status=told, objects=redis.objects, failure=message, weight=Severity.ERROR)
    return Prediction(status=told, objects=redis.objects)


def predict_model_cache(cache: JSONObject, dialect: Dialect, facts: Facts) -> Prediction:
    """The claim of a model cache; a missing config counts as no config."""
    claim, refusal = claim_of_cache(cache, dialect, facts)
    if claim is None:
        told = condition("Failure", "True", "Failed", f"Apply failed: {refusal}")
        return Prediction(status={"status": "Failed", "conditions": [told]}, waits=refusal)
    return Prediction(status={"status": "Progressing"}, objects=[claim], waits="a job has to download the weights")
