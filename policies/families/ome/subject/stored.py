"""A service as OME's own webhook stores it: with its mode, its replicas, and an engine in place of a legacy predictor.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import CLUSTER_BASE_MODELS, PREFIX
from weighbridge.policies.families.ome.operator import RAW, operator_of
from weighbridge.policies.families.ome.subject.components import ROLES
from weighbridge.policies.families.ome.subject.predictors import migrates, predictor_of, runner_of
from weighbridge.policies.families.ome.subject.service_spec import annotation
from weighbridge.policies.ground.fields import items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, metadata_of, namespace_of

MODE: Final = "deploymentMode"
#: The `maxReplicas` that the webhook fills in.
MAX_REPLICAS: Final = {"engine": 3, "decoder": 3, "router": 2}
#: The fields of a predictor that an engine doesn't get.
_NOT_OF_ENGINE: Final = ("model", "baseModel", "fineTunedWeights", "runtime", "workerSpec", "containers")
#: The probes of a container.
PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")


def uses_predictor(service: JSONObject) -> bool:
    """Whether a service is written in the form before engines."""
    return migrates(predictor_of(service))


def as_stored(service: JSONObject, facts: Facts) -> JSONObject:
    """The service with the values that OME's webhook fills in."""
    spec = dict(spec_of(service))
    metadata = dict(metadata_of(service))
    mode = _mode(spec, operator_of(facts).default_mode) if annotation(service, MODE) is None else ""
    if mode:
        metadata["annotations"] = {**part(metadata, "annotations"), PREFIX + MODE: mode}
    if uses_predictor(service) and not isinstance(spec.get("engine"), dict):
        spec = _migrated(spec, namespace_of(service), facts)
    for name, most in MAX_REPLICAS.items():
        component = spec.get(name)
        if isinstance(component, dict):
            least = component.get("minReplicas")
            spec[name] = _with_ports(component) | {
                "minReplicas": 1 if least is None else least,
                "maxReplicas": whole(component, "maxReplicas") or most,
            }
    return {**service, "metadata": metadata, "spec": spec}


def _with_ports(pod: JSONObject) -> JSONObject:
    """A component with the ports of its probes: a missing port is written as 0, which overrides the runtime's."""
    out = dict(pod)
    for role in ROLES:
        if isinstance(pod.get(role), dict):
            out[role] = _with_ports(pod[role])
    if isinstance(pod.get("runner"), dict):
        out["runner"] = _probed(pod["runner"])
    for key in ("containers", "initContainers"):
        if isinstance(pod.get(key), list):
            out[key] = [_probed(found) if isinstance(found, dict) else found for found in pod[key]]
    return out


def _probed(container: JSONObject) -> JSONObject:
    out = dict(container)
    for probe in PROBES:
        asked = part(container, probe)
        for action in ("httpGet", "tcpSocket"):
            if isinstance(asked.get(action), dict):
                out[probe] = {**part(out, probe), action: {"port": 0, **asked[action]}}
    return out


def _mode(spec: JSONObject, default: str) -> str:
    """The mode that the webhook writes; empty if it writes none."""
    engine = spec.get("engine")
    if isinstance(engine, dict) and isinstance(spec.get("decoder"), dict):
        return "PDDisaggregated"
    leader, worker = part(spec, "engine").get("leader"), part(spec, "engine").get("worker")
    if isinstance(leader, dict) and isinstance(worker, dict) and whole(worker, "size") > 0:
        return "MultiNode"
    return default if default == RAW else ""


def _migrated(spec: JSONObject, namespace: str, facts: Facts) -> JSONObject:
    """The spec with the predictor's engine, model and runtime."""
    predictor = part(spec, "predictor")
    model = part(predictor, "model")
    engine = {key: value for key, value in predictor.items() if key not in _NOT_OF_ENGINE}
    containers = items(predictor, "containers")
    runner = runner_of(predictor)
    if runner is not None:
        engine["runner"] = runner
        rest = [found for found in containers if found is not runner]
        engine |= {"containers": rest} if rest else {}
    if isinstance(predictor.get("workerSpec"), dict):
        engine["worker"] = predictor["workerSpec"]
    out = {**spec, "engine": engine}
    name = text(model, "baseModel") or text(predictor, "baseModel")
    if not part(spec, "model") and name:
        is_of_cluster = CLUSTER_BASE_MODELS.get(facts, "", name) is not None
        out["model"] = {"name": name, "kind": "ClusterBaseModel" if is_of_cluster else "BaseModel"}
        weights = model.get("fineTunedWeights") or predictor.get("fineTunedWeights")
        out["model"] |= {"fineTunedWeights": weights} if weights else {}
    runtime = text(model, "runtime") or text(predictor, "runtime")
    if not part(spec, "runtime") and runtime:
        out["runtime"] = {"name": runtime, "kind": "ClusterServingRuntime"}
    return out
