"""The situations in which the rules' bad examples are judged: other versions, other Models and nodes, other engines, fewer facts."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.families.examples import example_cluster, example_request, examples
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Finding, Unchecked
from weighbridge.policies.ground.objects import JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

DEFINITIONS = bundled_definitions()
#: Kinds of which the given objects may be all that a cluster has.
KINDS = frozenset(
    {
        *(("inference.llmkube.dev", kind) for kind in ("Model", "InferenceService", "GPUQuota", "LoRAAdapter", "ModelPool", "ModelRouter")),
        *(("", kind) for kind in ("Namespace", "Secret", "PersistentVolumeClaim", "PersistentVolume", "Service", "Node")),
    }
)


@dataclass(frozen=True, slots=True)
class Judged:
    """The input of a rule."""

    request: Request
    cluster: list[JSONObject]
    config: dict[str, Any]
    is_complete: bool = False


#: Turns an example into the same one in another situation.
Change = Callable[[Judged], Judged]


def as_it_is(judged: Judged) -> Judged:
    """The example itself."""
    return judged


def alone(judged: Judged) -> Judged:
    """Nothing is known of the cluster."""
    return replace(judged, cluster=[])


def in_an_empty_cluster(judged: Judged) -> Judged:
    """The cluster is known and has nothing."""
    return replace(judged, cluster=[], is_complete=True)


def under(version: str) -> Change:
    """Another version of the operator."""
    return lambda judged: replace(judged, config={**judged.config, "llmkube": {**judged.config.get("llmkube", {}), "version": version}})


def with_spec(**fields: Any) -> Change:
    """Other fields in the object's spec; `None` removes one."""

    def change(judged: Judged) -> Judged:
        obj = dict(judged.request.object) if isinstance(judged.request.object, dict) else {}
        spec = {**obj.get("spec", {}), **fields}
        obj["spec"] = {name: value for name, value in spec.items() if value is not None}
        return replace(judged, request=replace(judged.request, object=obj))

    return change


def on_models(**hardware: Any) -> Change:
    """Other hardware in all Models, including the object; without arguments the hardware is removed."""

    def changed(obj: JSONObject) -> JSONObject:
        if obj.get("kind") != "Model" or not isinstance(obj.get("spec"), dict):
            return obj
        spec = {name: value for name, value in obj["spec"].items() if name != "hardware"}
        return {**obj, "spec": {**spec, "hardware": {**obj["spec"].get("hardware", {}), **hardware}} if hardware else spec}

    def change(judged: Judged) -> Judged:
        obj = changed(judged.request.object) if isinstance(judged.request.object, dict) else judged.request.object
        return replace(judged, request=replace(judged.request, object=obj), cluster=[changed(each) for each in judged.cluster])

    return change


def stored_before(judged: Judged) -> Judged:
    """An update that changes nothing."""
    return replace(judged, request=replace(judged.request, operation=Operation.UPDATE, old_object=copy.deepcopy(judged.request.object)))


def in_the_requests_namespace(judged: Judged) -> Judged:
    """Only the request has the namespace."""
    obj = dict(judged.request.object) if isinstance(judged.request.object, dict) else {}
    metadata = {name: value for name, value in obj.get("metadata", {}).items() if name != "namespace"}
    return replace(judged, request=replace(judged.request, object={**obj, "metadata": metadata}))


def in_its_own_namespace(judged: Judged) -> Judged:
    """Only the object has the namespace."""
    return replace(judged, request=replace(judged.request, namespace=""))


def sourced(source: str) -> Change:
    """Another source of all Models."""

    def changed(obj: JSONObject) -> JSONObject:
        return {**obj, "spec": {**obj["spec"], "source": source}} if obj.get("kind") == "Model" else obj

    def change(judged: Judged) -> Judged:
        obj = changed(judged.request.object) if isinstance(judged.request.object, dict) else judged.request.object
        return replace(judged, request=replace(judged.request, object=obj), cluster=[changed(each) for each in judged.cluster])

    return change


ALL: dict[str, Change] = {
    "as it is": as_it_is,
    "nothing is known": alone,
    "in an empty cluster": in_an_empty_cluster,
    "stored before": stored_before,
    "in the request's namespace": in_the_requests_namespace,
    "in its own namespace": in_its_own_namespace,
    **{f"under {version}": under(version) for version in ("v0.9.5", "v0.9.8", "v0.9.12", "v0.9.16")},
}
OF_GPUS: dict[str, Change] = {
    "on metal": on_models(accelerator="metal"),
    "without hardware": on_models(),
    "on a GPU of AMD": on_models(gpu={"count": 1, "vendor": "amd", "runtime": "vulkan"}),
    "on two GPUs of Intel": on_models(gpu={"enabled": True, "count": 2, "vendor": "intel"}),
    "on four GPUs of NVIDIA": on_models(gpu={"count": 4, "vendor": "nvidia"}),
    "on a claimed device": on_models(gpu={"enabled": True, "resourceClaims": [{"name": "g", "resourceClaimName": "c"}]}),
    "from a claim": sourced("pvc://weights/m.gguf"),
    "from a repository": sourced("hf://org/model@v1"),
    "from a bucket": sourced("s3://bucket/m.gguf"),
    "from a path": sourced("/data/m.gguf"),
}
OF_SERVICES: dict[str, Change] = {
    **{f"with runtime {name}": with_spec(runtime=name) for name in ("llamacpp", "llamacpp-router", "vllm", "sglang", "tgi", "generic")},
    "suspended": with_spec(suspend=True),
    "with its own image": with_spec(image="ghcr.io/org/own:v1"),
    "with its own command": with_spec(command=["sh", "-c", "serve"]),
    "with its own arguments": with_spec(extraArgs=["--port", "9", "--host", "127.0.0.1", "--bogus", "--tp", "8"]),
    "without its model's files": with_spec(skipModelInit=True),
    "scaled": with_spec(replicas=3, autoscaling={"minReplicas": 2, "maxReplicas": 4}),
    "with a share of a GPU": with_spec(resources={"gpu": 1, "gpuSharing": {"mode": "shared"}}),
}


def situations(rule: Rule) -> dict[str, Change]:
    """The situations that make sense for a rule."""
    kind = rule.kinds[0]
    return ALL | (OF_GPUS if kind in ("Model", "InferenceService") else {}) | (OF_SERVICES if kind == "InferenceService" else {})


def lines(family: Family, rule: Rule) -> list[str]:
    """The rule's findings on its bad example, each with the situations in which it occurs, or with the only ones in which it doesn't."""
    found: dict[str, list[str]] = defaultdict(list)
    changes = situations(rule)
    for name, change in changes.items():
        for told in said(family, rule, examples(rule).bad, change):
            found[told].append(name)
    return [f"{told}\n  {_where(list(changes), names)}" for told, names in found.items()]


def _where(names: list[str], where: list[str]) -> str:
    silent = [name for name in names if name not in where]
    if not silent:
        return "everywhere"
    return f"in: {', '.join(where)}" if len(where) <= len(silent) else f"everywhere but: {', '.join(silent)}"


def said(family: Family, rule: Rule, text: str, change: Change) -> Iterator[str]:
    """The findings of a rule on an example in a situation, each in one line."""
    judged = change(Judged(example_request(family, rule, text), example_cluster(rule), examples(rule).config))
    config: Configuration = parse(judged.config)
    facts = from_objects(judged.cluster, DEFINITIONS, extent=Extent(complete=KINDS if judged.is_complete else frozenset()))
    for entry in rule.check(judged.request, facts, config):
        yield unchecked(entry) if isinstance(entry, Unchecked) else line(entry)


def unchecked(entry: Unchecked) -> str:
    """An unchecked part of a rule, in one line."""
    return f"unchecked: {entry.reason}"


def line(finding: Finding) -> str:
    """A finding, in one line."""
    parts = {"found": finding.found, "expected": finding.expected, "nearest": finding.nearest, "hint": finding.hint}
    beside = "; ".join(f"{name} {value}" for name, value in parts.items() if value)
    return f"{finding.severity} {finding.field}: {finding.message}" + (f" [{beside}]" if beside else "")
