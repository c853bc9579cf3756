"""The job that discovers a template: it runs the image of the model, which prints what it would serve.

aim-engine takes the service account and pull secrets from the model, kaiwo from the template. The name has a digest of everything that the
job depends on.

Source: aim-engine v0.2.1, internal/aimservicetemplate/discovery.go and internal/controller/utils/reconciler.go; kaiwo dbca1b55,
internal/controller/aim/shared/discovery.go and template.go (PlanTemplateResources).
"""

from __future__ import annotations

import hashlib
from typing import Final

from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.environment import repeated
from weighbridge.policies.families.aim.predictions.labels import propagated
from weighbridge.policies.families.aim.predictions.names import LONGEST
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import items, text, whole
from weighbridge.policies.ground.objects import JSONObject, lookup, name_of, namespace_of

#: The beginning of a job's name, and the number of digits of the digest after it.
_PREFIX: Final = "discover-"
_DIGITS: Final = 8
_POD_SECURITY: Final[JSONObject] = {"runAsNonRoot": True, "runAsUser": 65532, "seccompProfile": {"type": "RuntimeDefault"}}
_SECURITY: Final[JSONObject] = {"allowPrivilegeEscalation": False, "runAsNonRoot": True, "capabilities": {"drop": ["ALL"]}}


def discovery_job(template: JSONObject, image: str, model: JSONObject, config: JSONObject, dialect: Dialect) -> JSONObject:
    """The job of a template. The job of a cluster template runs in the operator's namespace, which isn't known, so it has none here."""
    spec = spec_of(template)
    owner = spec_of(model) if dialect.is_aim_engine else spec
    env = _variables(template)
    container: JSONObject = {
        "name": "discovery",
        "image": image,
        "args": ["dry-run", "--format=json"],
        "env": _environment(spec, env, dialect),
        "securityContext": _SECURITY,
    }
    pod: JSONObject = {"restartPolicy": "Never", "securityContext": _POD_SECURITY, "containers": [container]}
    if secrets := items(owner, "imagePullSecrets"):
        pod["imagePullSecrets"] = secrets
    if account := text(owner, "serviceAccountName"):
        pod["serviceAccountName"] = account
    labels, of_pod = _labels(template, config, dialect)
    name = f"{_PREFIX}{name_of(template)[: LONGEST - len(_PREFIX) - 1 - _DIGITS]}-{_digest(spec, image, owner, env, dialect)}"
    metadata: JSONObject = {"name": name, "labels": labels}
    if namespace_of(template):
        metadata["namespace"] = namespace_of(template)
    pods: JSONObject = {"spec": pod} | ({"metadata": {"labels": of_pod}} if of_pod else {})
    job = {"backoffLimit": 0 if dialect.is_aim_engine else 3, "ttlSecondsAfterFinished": 60, "template": pods}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": job}


def repeated_variables(template: JSONObject, dialect: Dialect) -> list[str]:
    """The variables that the job of a template would get twice, from the environment and from a field; the API server refuses that job."""
    return repeated(text(entry, "name") for entry in _environment(spec_of(template), _variables(template), dialect))


def refused_job(job: JSONObject, names: list[str]) -> str:
    """The message of an operator whose job has a variable twice."""
    where = '.spec.template.spec.containers[name="discovery"].env'
    return f'failed to apply Job {name_of(job)}: {where}: duplicate entries for key [name="{names[0]}"]'


def _variables(template: JSONObject) -> list[JSONObject]:
    """The variables of a template that its job gets; that of a cluster template gets none."""
    return items(spec_of(template), "env") if namespace_of(template) else []


def _environment(spec: JSONObject, env: list[JSONObject], dialect: Dialect) -> list[JSONObject]:
    gpu = lookup(spec, dialect.hardware)
    count = whole(gpu, dialect.count)
    given = {
        "AIM_METRIC": text(spec, "metric"),
        "AIM_PRECISION": text(spec, "precision"),
        "AIM_GPU_MODEL": text(gpu, "model"),
        "AIM_GPU_COUNT": str(count) if count > 0 else "",
        "AIM_PROFILE_ID": text(spec, "profileId"),
    }
    quiet = [{"name": level, "value": "CRITICAL"} for level in ("AIM_LOG_LEVEL_ROOT", "AIM_LOG_LEVEL")]
    return [*quiet, *env, *({"name": key, "value": value} for key, value in given.items() if value)]


def _digest(spec: JSONObject, image: str, owner: JSONObject, env: list[JSONObject], dialect: Dialect) -> str:
    gpu = lookup(spec, dialect.hardware)
    hashed = [text(spec, "modelName"), image, text(owner, "serviceAccountName")]
    hashed += [text(entry, key) for entry in env for key in ("name", "value")]
    hashed += [text(secret, "name") for secret in items(owner, "imagePullSecrets")]
    hashed += [text(spec, "metric"), text(spec, "precision")]
    if isinstance(gpu, dict):
        hashed += [text(gpu, "model"), str(whole(gpu, dialect.count))]
    if dialect.is_aim_engine:
        hashed.append(text(spec, "profileId"))
    return hashlib.sha256("".join(hashed).encode()).hexdigest()[:_DIGITS]


def _labels(template: JSONObject, config: JSONObject, dialect: Dialect) -> tuple[dict[str, str], dict[str, str]]:
    """The labels of the job, and those of its pod."""
    group, name = dialect.group, name_of(template)
    component = "discovery" if dialect.is_aim_engine else "discovery-job"
    own = {f"app.kubernetes.io/{key}": value for key, value in (("name", "aim-discovery"), ("component", component))}
    own |= {"app.kubernetes.io/managed-by": "aim-controller", f"{group}/template": name}
    copied = propagated(template, config, dialect)
    # A copied label doesn't replace the job's own labels, but it does replace those that aim-engine adds to every object.
    kind = "service-template" if namespace_of(template) else "cluster-service-template"
    added = {f"{group}/{kind}.name": name} if dialect.is_aim_engine else {}
    of_pod = {f"{group}/template": name} if dialect.is_aim_engine else {}
    return added | copied | own, added | {key: value for key, value in copied.items() if key not in own} | of_pod
