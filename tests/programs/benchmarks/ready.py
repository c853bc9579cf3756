"""Makes AIMService ready to validate in a separate process and prints the time that it took.

``python -m tests.programs.benchmarks.ready WHAT CRD``: `whole` compiles everything, schema and rules; `first` validates one object as the
API server does, which compiles only the parts that the object reaches. The CRD is read and the engine imported before, since every run
needs that. Modules that are imported only in order to compile count in the time. So does the reading of the cache, if the environment names
one.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import yaml

from tests.programs.benchmarks.timing import reference
from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.cel.rules.rule_nodes import RuleNode
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.emit.assembly import Assembly
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.compile_cache import compile_cache

SERVICE: JSONObject = {
    "apiVersion": "aim.eai.amd.com/v1alpha1",
    "kind": "AIMService",
    "metadata": {"name": "llama", "namespace": "serving", "labels": {"team": "research"}},
    "spec": {
        "model": {
            "custom": {
                "baseImage": "ghcr.io/example/aim-base:0.8",
                "hardware": {"gpu": {"requests": 2, "model": "MI300X"}, "cpu": {"requests": "8"}},
                "modelSources": [{"modelId": "meta-llama/Llama-3.1-8B-Instruct", "sourceUri": "hf://meta-llama/Llama-3.1-8B-Instruct"}],
            }
        },
        "overrides": {"metric": "latency", "precision": "fp16", "hardware": {"gpu": {"requests": 2, "minVram": "64Gi"}}},
        "template": {"allowUnoptimized": True},
        "caching": {"mode": "Shared"},
        "replicas": 2,
        "env": [
            {"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": "hf", "key": "token"}}},
            {"name": "LOG_LEVEL", "value": "info"},
        ],
        "resources": {"limits": {"cpu": "16", "memory": "64Gi"}, "requests": {"cpu": "8", "memory": "32Gi"}},
        "routing": {"enabled": True, "gatewayRef": {"name": "inference", "namespace": "gateways"}, "requestTimeout": "60s"},
        "imagePullSecrets": [{"name": "registry"}],
        "serviceAccountName": "llama",
    },
}


def _compile_assembly(assembly: Assembly) -> None:
    done: set[int] = set()
    while len(done) < len(assembly._cells):
        for key, (cell, place) in list(assembly._cells.items()):
            if id(cell) not in done:
                done.add(id(cell))
                cell[0] = assembly._function(place)
                assert key in assembly._cells


def _rule_nodes(node: RuleNode) -> Iterable[RuleNode]:
    yield node
    for child in (*node.branches, *node.properties.values(), node.values, node.items):
        if child is not None:
            yield from _rule_nodes(child)


def _compile_whole(definition: ResourceDefinition) -> None:
    schema = definition.schema
    for assembly in (schema._prune, schema._nulls, schema._default, schema._validate, schema._lists):
        _compile_assembly(assembly)
    if not definition.has_rules:
        return
    assert definition.rules._walk is not None
    for node in _rule_nodes(definition.rules.tree):
        assert not any(rule.error for rule in node.direct_rules)


def _first_object(definitions: Definitions, gvk: GroupVersionKind) -> None:
    request = Request("bench", Operation.CREATE, gvk, SERVICE, namespace="serving", name="llama")
    decision = decide(request, Facts(definitions), DEFAULT, Phase.APISERVER)
    assert decision.allowed, decision.findings


def main() -> None:
    """Print seconds, and seconds of the reference work, as JSON."""
    what, file = sys.argv[1:]
    crd = yaml.load(Path(file).read_bytes(), yaml.CSafeLoader)
    gvk = GroupVersionKind.from_object(SERVICE)
    assert gvk is not None
    start = time.process_time()
    definitions = Definitions.from_manifests([crd], trusted=True, cache=compile_cache())
    definition = definitions.get(gvk)
    assert definition is not None
    if what == "whole":
        _compile_whole(definition)
    else:
        _first_object(definitions, gvk)
    seconds = time.process_time() - start
    start = time.process_time()
    for _ in range(200):
        reference()
    json.dump({"seconds": seconds, "reference": (time.process_time() - start) / 200}, sys.stdout)


if __name__ == "__main__":
    main()
