"""A cluster with a secret in every place that may have one, for the tests of redaction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from weighbridge.policies.ground.objects import JSONObject


def an_object(api_version: str, kind: str, metadata: dict[str, Any] | None = None, **parts: Any) -> JSONObject:
    named = {"name": f"the-{kind.lower()}", "namespace": "team-a", **(metadata or {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": named, **parts}


def secrets() -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"SECRET-{number}-"


def _container(s: Iterator[str]) -> JSONObject:
    return {
        "name": "manager",
        "image": "ghcr.io/defilantech/llmkube-controller:0.9.19",
        "command": ["/manager", f"--token={next(s)}"],
        "args": [
            "--dri-render-gid=991",
            f"--api-key={next(s)}",
            "--password",
            next(s),
            f"--default-litellm-url=https://me:{next(s)}@host/?key={next(s)}",
        ],
        "env": [{"name": "PASSWORD", "value": next(s)}, {"name": "LLMKUBE_INTEL_GPU_RESOURCE", "value": "gpu.intel.com/xe"}],
        "lifecycle": {"postStart": {"exec": {"command": ["sh", "-c", next(s)]}}},
    }


def _service_spec(s: Iterator[str]) -> JSONObject:
    header = {"httpHeaders": [{"name": "Authorization", "value": next(s)}], "path": f"/health?token={next(s)}"}
    return {
        "modelRef": "the-model",
        "runtime": "vllm",
        "env": [{"name": "HF_TOKEN", "value": next(s)}, {"name": "URL", "value": f"postgres://me:{next(s)}@host/db"}],
        "extraArgs": [f"--api-key={next(s)}", "--token", next(s), "--port=8080", "--tensor-parallel-size", "4"],
        "command": ["sh", "-c", f"export KEY={next(s)}; serve"],
        "args": [next(s)],
        "podAnnotations": {"vault/token": next(s)},
        "probeOverrides": {"liveness": {"httpGet": header}, "readiness": {"exec": {"command": ["curl", next(s)]}}},
        "extraVolumes": [
            {"name": "a", "csi": {"driver": "d", "volumeAttributes": {"name": next(s)}}},
            {"name": "b", "flexVolume": {"driver": "d", "options": {"password": next(s)}}},
            {"name": "c", "rbd": {"keyring": next(s)}},
        ],
        "reasoningBudgetMessage": next(s),
        "sglangConfig": {"chatTemplate": next(s)},
        "initContainers": [{"name": "fetch", "env": [{"name": "TOKEN", "value": next(s)}], "args": [next(s)]}],
        "tolerations": [{"key": "gpu", "operator": "Equal", "value": "kept", "effect": "NoSchedule"}],
    }


def a_cluster(s: Iterator[str]) -> list[JSONObject]:
    """Objects of every family and of the kinds that are looked up, with secrets in all possible places."""
    bookkeeping: JSONObject = {
        "annotations": {"kubectl.kubernetes.io/last-applied-configuration": next(s), "team/token": next(s)},
        "managedFields": [{"manager": next(s)}],
    }
    conditions = [{"type": "Ready", "status": "False", "reason": "Failed", "message": f"GET https://me:{next(s)}@host: {next(s)}"}]
    return [
        *_workloads(s, bookkeeping, conditions),
        *_storage(s, bookkeeping),
        *_devices(s, bookkeeping),
        *_of_families(s, bookkeeping, conditions),
    ]


def _workloads(s: Iterator[str], bookkeeping: JSONObject, conditions: list[JSONObject]) -> list[JSONObject]:
    deployment = {
        "template": {
            "metadata": {"annotations": {"a": next(s)}},
            "spec": {"initContainers": [_container(s)], "containers": [_container(s)]},
        }
    }
    return [
        an_object("apps/v1", "Deployment", bookkeeping, spec=deployment, status={"conditions": conditions}),
        an_object("v1", "Service", bookkeeping, spec={"externalName": next(s), "ports": [{"port": 80, "nodePort": 30080}]}),
        an_object("v1", "Namespace", {**bookkeeping, "name": "team-a"}),
        an_object(
            "v1", "Node", bookkeeping, spec={"providerID": next(s)}, status={"allocatable": {"cpu": "8"}, "images": [{"names": [next(s)]}]}
        ),
        an_object("v1", "LimitRange", bookkeeping, spec={"limits": [{"type": "Container", "max": {"cpu": "4"}}]}),
        an_object("node.k8s.io/v1", "RuntimeClass", bookkeeping, handler=next(s), overhead={"podFixed": {"cpu": "1"}}),
        an_object("scheduling.k8s.io/v1", "PriorityClass", bookkeeping, value=3, description=next(s)),
        an_object(
            "karpenter.sh/v1",
            "NodePool",
            bookkeeping,
            spec={"template": {"metadata": {"annotations": {"x": next(s)}}, "spec": {"userData": next(s)}}},
        ),
        an_object(
            "cluster.x-k8s.io/v1beta2", "MachineDeployment", bookkeeping, spec={"template": {"spec": {"bootstrap": {"data": next(s)}}}}
        ),
    ]


def _storage(s: Iterator[str], bookkeeping: JSONObject) -> list[JSONObject]:
    volume = {
        "capacity": {"storage": "1Ti"},
        "mountOptions": [f"password={next(s)}"],
        "csi": {"driver": "d", "volumeHandle": "h", "volumeAttributes": {"secret": next(s)}},
        "claimRef": {"namespace": "team-a", "name": "the-persistentvolumeclaim", "uid": "1"},
    }
    storage = "storage.k8s.io/v1"
    return [
        an_object("v1", "PersistentVolume", bookkeeping, spec=volume, status={"phase": "Bound", "message": next(s)}),
        an_object(
            "v1",
            "PersistentVolumeClaim",
            {**bookkeeping, "uid": "1"},
            spec={"volumeName": "the-persistentvolume"},
            status={"phase": "Bound"},
        ),
        an_object(storage, "StorageClass", bookkeeping, provisioner="p", parameters={"restuserkey": next(s)}, mountOptions=[next(s)]),
        an_object(storage, "CSIDriver", bookkeeping, spec={"tokenRequests": [{"audience": next(s)}], "storageCapacity": True}),
        an_object(storage, "CSINode", bookkeeping, spec={"drivers": [{"name": "d", "nodeID": next(s), "allocatable": {"count": 3}}]}),
    ]


def _devices(s: Iterator[str], bookkeeping: JSONObject) -> list[JSONObject]:
    opaque = [{"opaque": {"driver": "d", "parameters": {"token": next(s)}}}]
    request = [{"name": "gpu", "exactly": {"deviceClassName": "gpu.amd.com"}}]
    dra = "resource.k8s.io/v1"
    return [
        an_object(dra, "DeviceClass", bookkeeping, spec={"config": opaque, "selectors": [{"cel": {"expression": "true"}}]}),
        an_object(
            dra,
            "ResourceClaim",
            bookkeeping,
            spec={"devices": {"requests": request, "config": opaque}},
            status={"devices": [{"data": {"x": next(s)}}]},
        ),
        an_object(
            dra,
            "ResourceClaimTemplate",
            bookkeeping,
            spec={"metadata": {"annotations": {"x": next(s)}}, "spec": {"devices": {"requests": request, "config": opaque}}},
        ),
    ]


def _of_families(s: Iterator[str], bookkeeping: JSONObject, conditions: list[JSONObject]) -> list[JSONObject]:
    backend = {"name": "cloud", "external": {"provider": "openai", "url": f"https://me:{next(s)}@api/v1?api_key={next(s)}", "model": "gpt"}}
    llmkube = "inference.llmkube.dev/v1alpha1"
    return [
        an_object("inference.networking.x-k8s.io/v1alpha2", "InferencePool", bookkeeping, spec={"extensionRef": {"name": next(s)}}),
        an_object(
            "inference.networking.x-k8s.io/v1alpha2",
            "InferenceModel",
            bookkeeping,
            spec={"modelName": "m", "poolRef": {"name": "p"}},
            status={"conditions": conditions},
        ),
        an_object(
            llmkube,
            "Model",
            bookkeeping,
            spec={"source": f"https://me:{next(s)}@host/m.gguf?token={next(s)}", "format": "gguf"},
            status={"conditions": conditions},
        ),
        an_object(llmkube, "InferenceService", bookkeeping, spec=_service_spec(s), status={"schedulingMessage": next(s)}),
        an_object(
            llmkube,
            "ModelRouter",
            bookkeeping,
            spec={"backends": [backend], "rules": [{"name": "r", "match": {"headers": {"X-Token": next(s)}}}]},
        ),
        an_object(
            "aim.silogen.ai/v1alpha1",
            "AIMService",
            bookkeeping,
            spec={"env": [{"name": "A", "value": next(s)}], "runtimeOverrides": {"args": {"api-key": next(s)}}},
        ),
        an_object(
            "ome.io/v1beta1",
            "InferenceService",
            bookkeeping,
            spec={"engine": {"runner": {"env": [{"name": "A", "value": next(s)}], "args": [f"--key={next(s)}"]}}},
        ),
        an_object(
            "llmaz.io/v1alpha1",
            "Playground",
            bookkeeping,
            spec={"backendRuntimeConfig": {"envs": [{"name": "A", "value": next(s)}], "args": [next(s)]}},
        ),
        an_object("v1", "ConfigMap", bookkeeping, data={"name": next(s), "config.yaml": f"password: {next(s)}"}),
        an_object("v1", "Secret", bookkeeping, data={"name": next(s)}, stringData={"key": next(s)}),
    ]
