"""Judges an object with policies, all written as YAML."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tests.yaml_documents import read, read_all
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import GroupVersionKind, Operation, name_of, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.facts import bundled_definitions

#: A service of LLMKube with its model, which needs one GPU, and a node for it.
SERVICE = """
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: chat, namespace: team-a, labels: {team: a}}
spec: {modelRef: llama, replicas: 2, image: "ghcr.io/ggml-org/llama.cpp:server-cuda-b6000"}
"""
CLUSTER = """
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: llama, namespace: team-a}
spec: {source: "https://example.com/llama.gguf", format: gguf, hardware: {accelerator: cuda, gpu: {count: 1}}}
---
apiVersion: v1
kind: Namespace
metadata: {name: team-a, labels: {stage: lab}}
---
apiVersion: v1
kind: Node
metadata: {name: h100-1, labels: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}}
status: {allocatable: {cpu: "64", memory: 512Gi, pods: "110", nvidia.com/gpu: "8"}}
---
apiVersion: v1
kind: Node
metadata: {name: l4-1, labels: {nvidia.com/gpu.product: NVIDIA-L4}}
status: {allocatable: {cpu: "64", memory: 512Gi, pods: "110", nvidia.com/gpu: "1"}}
"""
KIND = "InferenceService.inference.llmkube.dev"


def policy(expression: str, kinds: str = KIND, **more: Any) -> dict[str, Any]:
    """A policy with one validation."""
    return {"id": "POLICY-001", "name": "tried", "match": {"kinds": [kinds]}, "validations": [{"expression": expression}], **more}


def configured(*policies: dict[str, Any], **settings: Any) -> Configuration:
    """A configuration with policies."""
    return parse({"policies": list(policies), **settings})


def facts(cluster: str = CLUSTER, manifest: str = "") -> Facts:
    """A cluster with these objects, and with a manifest that is judged in the same run."""
    beside = [read(manifest)] if manifest else []
    return from_objects(list(read_all(cluster)) if cluster else [], bundled_definitions(), beside=beside)


def asked(obj: str = SERVICE, old: str = "", **more: Any) -> Request:
    """The request for an object."""
    value = read(obj)
    gvk = GroupVersionKind.from_object(value)
    assert gvk is not None
    request = Request("tried", Operation.CREATE, gvk, value, namespace=namespace_of(value), name=name_of(value))
    return replace(request, operation=Operation.UPDATE if old else Operation.CREATE, old_object=read(old) if old else None, **more)


def judged(
    config: Configuration,
    obj: str = SERVICE,
    cluster: str = CLUSTER,
    *,
    old: str = "",
    moment: str = "",
    phase: Phase = Phase.WHOLE,
    **more: Any,
) -> Decision:
    """The verdict on an object."""
    known = config.at(datetime.fromisoformat(moment)) if moment else config
    return decide(asked(obj, old, **more), facts(cluster), known, phase)


def said(decision: Decision) -> list[str]:
    """The findings of policies and the failures of policies."""
    own = (finding for finding in decision.findings if finding.rule.startswith("POLICY-") or finding.rule == "WB-014")
    return [f"{finding.rule} {finding.severity} {finding}" for finding in own]


def lacked(decision: Decision) -> list[str]:
    """The policies that lacked a fact, each with the reason."""
    return [f"{entry.subject}: {entry.reason}" for entry in decision.unchecked if entry.subject.startswith("POLICY-")]
