"""Clusters and manifests of any size, of each family, to see how the cost of judging grows with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.facts.kinds import PLACEMENT_KINDS
from weighbridge.policies.families import families
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, Operation
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.facts import facts_of
from weighbridge.webhook.inputs.requests import request_of, stored_before

#: All kinds that a placement reads are known.
_KNOWN: Final = Extent(frozenset(kind.known_as for kind in PLACEMENT_KINDS))
#: All kinds that a verdict may need are known.
ALL_KNOWN: Final = Extent(_KNOWN.complete | frozenset(kind.known_as for family in families() for kind in (*family.kinds, *family.looks_up)))
_LLMKUBE: Final = "inference.llmkube.dev/v1alpha1"
_OME: Final = "ome.io/v1beta1"
NEW_AIM: Final = "aim.eai.amd.com/v1alpha1"
OLD_AIM: Final = "aim.silogen.ai/v1alpha1"
_FORMAT: Final = {"modelFormat": {"name": "safetensors", "version": "1.0.0"}, "modelArchitecture": "LlamaForCausalLM"}


@dataclass(frozen=True)
class World:
    """The input of a command and the cluster.

    The given objects are judged or, if there are `judged` ones, these in a phase of the webhook. The `written` objects are created one
    after the other: both webhooks judge each, and then it is in the cluster.
    """

    given: Sequence[JSONObject] = ()
    cluster: Sequence[JSONObject] = ()
    judged: Sequence[tuple[JSONObject, JSONObject]] = ()
    written: Sequence[JSONObject] = ()
    known: Extent = field(default=_KNOWN)
    config: Configuration = DEFAULT

    def facts(self) -> Facts:
        """The facts when the first object is judged."""
        return facts_of(list(self.cluster), self.known, (), self.given, "default", self.config)

    def decisions(self, facts: Facts) -> Iterator[Decision]:
        """The verdicts: of a lint, and of the webhook on updates and creations."""
        for obj in self.given:
            old = stored_before(obj, facts, "default")
            operation = Operation.CREATE if old is None else Operation.UPDATE
            request = request_of(obj, facts.definitions, uid="g", namespace="default", operation=operation, old=old)
            yield decide(request, facts, self.config, explains=False)
        for old, obj in self.judged:
            request = request_of(obj, facts.definitions, uid="g", namespace="default", operation=Operation.UPDATE, old=old)
            yield decide(request, facts, self.config, Phase.VALIDATE)
        for index, obj in enumerate(self.written):
            request = request_of(obj, facts.definitions, uid="g", namespace="one", operation=Operation.CREATE)
            yield decide(request, facts, self.config, Phase.MUTATE)
            yield decide(request, facts, self.config, Phase.VALIDATE)
            facts.objects.put({**obj, "metadata": {**obj["metadata"], "uid": f"u{index}", "creationTimestamp": "2026-01-01T00:00:00Z"}})


def obj(api: str, kind: str, name: str, spec: JSONObject, namespace: str = "one", **more: JSONObject) -> JSONObject:
    """An object of a family."""
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": api, "kind": kind, "metadata": metadata, "spec": spec, **more}


def changed(one: JSONObject, **spec: JSONObject | str | int) -> JSONObject:
    """An object with some fields of its spec changed."""
    return {**one, "spec": {**one["spec"], **spec}}


def node(index: int) -> JSONObject:
    """A node with a unique taint, so that no two nodes are alike."""
    amounts = dict.fromkeys(("nvidia.com/gpu", "amd.com/gpu"), "8") | {"cpu": "64", "memory": "1Ti", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": f"n{index}", "labels": {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3", "amd.com/gpu.device-id": "74a1"}},
        "spec": {"taints": [{"key": f"team-{index}", "effect": "NoSchedule"}]},
        "status": {"allocatable": amounts, "conditions": [{"type": "Ready", "status": "True"}]},
    }


def llmkube(index: int, namespace: str) -> tuple[JSONObject, JSONObject]:
    """A Model and the service that it has."""
    gpu = {"enabled": True, "count": 1, "vendor": "nvidia"}
    source = {"source": f"https://example.com/m{index}.gguf", "hardware": {"accelerator": "cuda", "gpu": gpu}}
    service = {"modelRef": f"m{index}", "replicas": 1}
    return obj(_LLMKUBE, "Model", f"m{index}", source, namespace), obj(_LLMKUBE, "InferenceService", f"s{index}", service, namespace)


def llmaz(index: int, namespace: str) -> tuple[JSONObject, JSONObject]:
    """A model of the cluster and the Playground that claims it."""
    model = {"familyName": "f", "source": {"modelHub": {"modelID": f"a/m{index}"}}}
    claim = {"replicas": 1, "modelClaim": {"modelName": f"m{index}"}}
    return obj("llmaz.io/v1alpha1", "OpenModel", f"m{index}", model, ""), obj(
        "inference.llmaz.io/v1alpha1", "Playground", f"p{index}", claim, namespace
    )


def ome(index: int, namespace: str) -> tuple[JSONObject, JSONObject]:
    """A model and the service that serves it on a runtime that is selected."""
    model = {**_FORMAT, "modelParameterSize": "8B", "storage": {"storageUri": f"hf://acme/m{index}", "path": f"/models/m{index}"}}
    service = {"model": {"name": f"m{index}", "kind": "BaseModel"}, "engine": {"minReplicas": 1}}
    return obj(_OME, "BaseModel", f"m{index}", model, namespace), obj(_OME, "InferenceService", f"s{index}", service, namespace)


def runtime(index: int) -> JSONObject:
    """A runtime of the cluster that serves all these models; the first of them is the one that is selected."""
    resources = {"limits": {"nvidia.com/gpu": "1"}, "requests": {"nvidia.com/gpu": "1"}}
    runner = {"name": "ome-container", "image": "docker.io/lmsysorg/sglang:v0.5.5", "args": ["--tp-size", "1"], "resources": resources}
    supported = [{**_FORMAT, "autoSelect": True, "priority": 1}]
    spec = {"supportedModelFormats": supported, "modelSizeRange": {"min": "1B", "max": "70B"}, "engineConfig": {"runner": runner}}
    return obj(_OME, "ClusterServingRuntime", f"r{index}", spec, "")


def aim(index: int, namespace: str, api: str = NEW_AIM) -> tuple[JSONObject, JSONObject]:
    """A model and the service that names it."""
    reference = "name" if api == NEW_AIM else "ref"
    service = {"model": {reference: f"m{index}"}, "replicas": 1}
    return obj(api, "AIMModel", f"m{index}", {"image": f"ghcr.io/acme/m{index}:1.0"}, namespace), obj(
        api, "AIMService", f"s{index}", service, namespace
    )


def template(index: int, model: str, api: str) -> JSONObject:
    """A template of a model of AIM; no two are alike."""
    hardware: JSONObject = {"hardware": {"gpu": {"requests": 1 + index % 8, "model": "MI300X"}}}
    if api == OLD_AIM:
        hardware = {"gpuSelector": {"count": 1 + index % 8, "model": "MI300X"}}
    sources = [{"modelId": "acme/llama", "sourceUri": f"hf://acme/llama-{index}", "size": "16Gi"}]
    spec = {"modelName": model, "metric": ("latency", "throughput")[index % 2], **hardware, "modelSources": sources}
    return obj(api, "AIMServiceTemplate", f"t{index}", spec, status={"status": "Ready"})


def pool(index: int, namespace: str) -> tuple[JSONObject, JSONObject]:
    """A pool of the Inference Extension and an objective for it."""
    picker = {"name": f"e{index}", "port": {"number": 9002}}
    spec = {"selector": {"matchLabels": {"app": f"a{index}"}}, "targetPorts": [{"number": 8000}], "endpointPickerRef": picker}
    found = obj("inference.networking.k8s.io/v1", "InferencePool", f"p{index}", spec, namespace)
    objective = {"priority": 1, "poolRef": {"name": f"p{index}"}}
    return found, obj("inference.networking.x-k8s.io/v1alpha2", "InferenceObjective", f"o{index}", objective, namespace)


PAIRS: Final[dict[str, Callable[[int, str], tuple[JSONObject, JSONObject]]]] = {
    "LLMKube": llmkube,
    "OME": ome,
    "AIM": aim,
    "llmaz": llmaz,
    "Inference Extension": pool,
}


def pairs(family: str, count: int, namespaces: int = 1) -> list[JSONObject]:
    """Models or pools, each with the object that uses it, spread over namespaces."""
    more = [runtime(0)] if family == "OME" else []
    return [*more, *(one for index in range(count) for one in PAIRS[family](index, f"ns{index % namespaces}"))]
