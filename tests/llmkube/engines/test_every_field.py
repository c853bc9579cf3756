"""Every field of InferenceService.spec either reaches the container, or is listed here with its reader, or with the reason why it has none.

A field reaches the container if setting it changes the launch of some engine, or the operator's messages about its settings. This is tried
for each field, so that both lists are correct.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.llmkube.engines.services import NEWEST, SEED, model, service
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines import Launch, launch
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import Storage
from weighbridge.policies.families.llmkube.subject.gpu import pod_gpus
from weighbridge.policies.ground.objects import JSONObject

RUNTIMES = ("llamacpp", "llamacpp-router", "vllm", "sglang", "tgi", "personaplex", "generic")
BUNDLED = Path(__file__).resolve().parents[3] / "policies" / "families" / "llmkube" / "crds"

#: Fields that are tried as a whole, or need a special value.
WHOLE: dict[str, Any] = {
    "affinity": {"podAffinity": {}},
    "args": ["--a"],
    "autoscaling.metrics": [{"name": "m", "type": "Pods"}],
    "endpoint.gateway.gatewayRef": {"name": "g"},
    "endpoint.path": "/v1/embeddings",
    "env": [{"name": "K", "value": "v"}],
    "extraVolumeMounts": [{"name": "v", "mountPath": "/v"}],
    "extraVolumes": [{"name": "v"}],
    "imagePullSecrets": [{"name": "p"}],
    "nodeSelector": {"k": "v"},
    "personaPlexConfig.hfTokenSecretRef": {"name": "hf", "key": "token"},
    "podAnnotations": {"k": "v"},
    "podLabels": {"k": "v"},
    "podSecurityContext": {"fsGroup": 1},
    "probeOverrides.liveness": {"exec": {"command": ["true"]}},
    "probeOverrides.readiness": {"exec": {"command": ["true"]}},
    "probeOverrides.startup": {"exec": {"command": ["true"]}},
    "securityContext": {"privileged": True},
    "sglangConfig.hfTokenSecretRef": {"name": "hf", "key": "token"},
    "sglangConfig.loraAdapters": [{"name": "a", "path": "/a"}],
    "sglangConfig.loraModules": ["b=/b"],
    "sglangConfig.speculative.enabled": False,
    "tgiConfig.hfTokenSecretRef": {"name": "hf", "key": "token"},
    "tolerations": [{"operator": "Exists"}],
    "topologySpreadConstraints": [{"maxSkew": 1}],
    "vllmConfig.hfTokenSecretRef": {"name": "hf", "key": "token"},
    "vllmConfig.speculative.enabled": False,
}
#: Further fields that some fields need.
BESIDE: dict[str, Any] = {
    "reasoningBudgetMessage": {"reasoningBudget": 1},
    "resources.hostMemory": {"moeCPUOffload": True},
    "resources.memory": {"moeCPUOffload": True},
    "ropeScaling": {"ropeScaling": {"type": "yarn"}},
    "sglangConfig.speculative": {"sglangConfig": {"speculative": {"enabled": True, "algorithm": "EAGLE", "draftModelPath": "/d"}}},
    "speculativeDecoding": {"speculativeDecoding": {"type": "ngram-mod"}},
    "vllmConfig.speculative": {"vllmConfig": {"speculative": {"enabled": True, "model": "org/draft"}}},
}

POD = "the rest of the pod"
#: Fields that other parts of the operator read: the pod around the container, the Service, the autoscaler, the status, storage.
ELSEWHERE = {
    **dict.fromkeys(
        (
            *("affinity", "disruption.protectAlways", "disruption.protectStartup", "extraVolumeMounts", "extraVolumes", "image"),
            *("imagePullSecrets", "nodeSelector", "podAnnotations", "podLabels", "podSecurityContext", "priority", "priorityClassName"),
            *("resources.cpu", "resources.ephemeralStorage", "runtimeClassName", "securityContext", "tolerations"),
            *("resources.gpuSharing.mode", "resources.gpuSharing.profile", "topologySpreadConstraints"),
        ),
        POD,
    ),
    **dict.fromkeys(("replicas", "suspend", "revisionHistoryLimit"), "the Deployment around the pod"),
    **dict.fromkeys(("autoscaling.maxReplicas", "autoscaling.metrics", "autoscaling.minReplicas"), "the autoscaler"),
    **dict.fromkeys(("endpoint.nodePort", "endpoint.type"), "the Service"),
    **dict.fromkeys(("modelCache.claimName", "modelCache.persistence", "skipModelInit"), "where the pod finds its weights"),
    **dict.fromkeys(("speculativeDecoding.draftModel", "speculativeDecoding.draftModelRef"), "where the pod finds the draft's weights"),
    **dict.fromkeys(("endpoint.gateway.enabled", "endpoint.gateway.gatewayRef", "endpoint.gateway.modelName"), "the gateway's route"),
    **dict.fromkeys(("slo.indicator", "slo.latencyThreshold", "slo.name", "slo.objective", "slo.window"), "the ServiceLevelObjective"),
    **dict.fromkeys(("rolloutPolicy.force", "rolloutPolicy.idleTimeoutSeconds", "rolloutPolicy.waitForIdle"), "updates of the Deployment"),
    **dict.fromkeys(("maxPodLifetimeIdleTimeoutSeconds", "maxPodLifetimeSeconds"), "evictions of old pods"),
    "resources.gpuSharing.memoryLimitGiB": "quotas",
}
AGENT = "read by the agent on a Mac alone"
#: Fields without an effect on any pod, with the reason.
IGNORED = {
    "evictionProtection": AGENT,
    "hotCacheMaxSize": AGENT,
    "pagedSSDCacheDir": AGENT,
    "pagedSSDCacheMaxSize": AGENT,
    "turboQuantBits": AGENT,
    "resources.gpuMemory": "never read",
}
#: Fields that the CRD of v0.9.5 has and its operator didn't read yet.
IGNORED_THEN = {
    "sglangConfig.logLevel": "a flag since v0.9.6",
    "sglangConfig.skipTokenizerInit": "a flag since v0.9.6",
    "sglangConfig.trustRemoteCode": "a flag since v0.9.6",
}


def leaves(schema: JSONObject, path: str = "") -> Iterator[tuple[str, JSONObject]]:
    """The fields of a schema with values, each with its schema; those of `WHOLE` count as one."""
    for name, field in schema.get("properties", {}).items():
        inner = path + name
        if inner in WHOLE or "properties" not in field:
            yield inner, field
        else:
            yield from leaves(field, inner + ".")


def sample(path: str, field: JSONObject) -> Any:
    """A value for a field."""
    if path in WHOLE:
        return WHOLE[path]
    if "enum" in field:
        return field["enum"][-1]
    kinds = {"string": "x", "integer": 3, "number": 0.5, "boolean": True, "array": ["x=y"], "object": {"k": "v"}}
    return kinds[field["type"]]


def with_field(spec: JSONObject, path: str, value: Any) -> JSONObject:
    """The spec with a field set."""
    changed = copy.deepcopy(spec)
    *steps, last = path.split(".")
    block = changed
    for step in steps:
        block = block.setdefault(step, {})
    block[last] = value
    return changed


def started(found: Launch) -> tuple[Any, ...]:
    """The result of a launch, without the sources."""
    health = found.startup, found.liveness, found.readiness
    return found.container, found.command, found.args, found.env, found.port, health, found.conditions, found.warnings


def reaches(path: str, value: Any, operator: KnownOperator) -> bool:
    """Whether a field changes the launch of any engine."""
    beside: JSONObject = next((extra for prefix, extra in BESIDE.items() if path == prefix or path.startswith(prefix + ".")), {})
    for runtime in RUNTIMES:
        plain = service(runtime, image="i", **beside)
        changed = {**plain, "spec": with_field(plain["spec"], path, value)}
        for count in (0, 1, 2):
            on = model({"count": count} if count and path != "resources.gpu" else {})
            plans = (launch(on, one, operator, pod_gpus(on, one, operator), Storage(model_path="/m")) for one in (plain, changed))
            if len({repr(started(plan)) for plan in plans}) > 1:
                return True
    return False


def spec_schema(definition: Path) -> JSONObject:
    """The schema of an InferenceService's spec."""
    document = yaml.safe_load(definition.read_text(encoding="utf-8"))
    schema = document["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    assert isinstance(schema, dict)
    return schema


@pytest.fixture(params=["v0.9.19", "v0.9.5"])
def version(request: pytest.FixtureRequest, shared: Path) -> tuple[JSONObject, KnownOperator]:
    """The schema and the operator of a version."""
    name = "inference.llmkube.dev_inferenceservices.yaml"
    if request.param == "v0.9.19":
        return spec_schema(shared / "corpus" / "llmkube" / "crds" / name), NEWEST
    return spec_schema(BUNDLED / "v0.9.5" / name), SEED


def test_every_field_reaches_the_container_or_is_named_with_its_reader(version: tuple[JSONObject, KnownOperator]) -> None:
    schema, operator = version
    named = {**ELSEWHERE, **IGNORED, **({} if operator == NEWEST else IGNORED_THEN)}
    fields = dict(leaves(schema))
    reaching = {path for path, field in fields.items() if reaches(path, sample(path, field), operator)}
    assert set(fields) - reaching - set(named) == set(), "neither reaches the container nor is named"
    assert reaching & set(named) == set(), "is named, and reaches the container all the same"
    assert len(reaching) > 70


def test_no_named_field_is_unknown_to_the_newest_version(shared: Path) -> None:
    definition = shared / "corpus" / "llmkube" / "crds" / "inference.llmkube.dev_inferenceservices.yaml"
    assert set(ELSEWHERE) | set(IGNORED) <= dict(leaves(spec_schema(definition))).keys()
