"""The time of the engine for one Model, as a whole and in the phases that the doors use."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.programs.benchmarks.fresh_requests import judged
from tests.programs.benchmarks.timing import compare, reference
from weighbridge.policies.apiserver.comparison import RULES
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.inputs.bundled import bundled_crds
from weighbridge.webhook.inputs.facts import definitions_among

MODEL: JSONObject = {
    "apiVersion": "inference.llmkube.dev/v1alpha1",
    "kind": "Model",
    "metadata": {"name": "llama-3-8b", "namespace": "serving", "labels": {"team": "research", "tier": "gpu"}},
    "spec": {
        "source": "hf://bartowski/Meta-Llama-3.1-8B-Instruct-GGUF",
        "files": ["Meta-Llama-3.1-8B-Instruct-Q5_K_M.gguf"],
        "quantization": "Q5_K_M",
        "hardware": {
            "gpu": {
                "enabled": True,
                "count": 2,
                "vendor": "nvidia",
                "memory": "16Gi",
                "layers": -1,
                "sharding": {"layerSplit": ["0-15", "16-31"]},
            }
        },
        "resources": {"cpu": "4", "memory": "16Gi"},
    },
}
NODES: list[JSONObject] = [
    {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": f"gpu-{number}"},
        "status": {"allocatable": {"cpu": "64", "nvidia.com/gpu": "8"}},
    }
    for number in range(20)
]


def main() -> None:
    """Print the table."""
    crds = list(bundled_crds())
    facts = from_objects(NODES, definitions_among(crds))
    lossy = from_objects(NODES, definitions_among([_without_rules(crd) for crd in crds]))
    never, always = parse({"crdRules": "never"}), parse({"crdRules": "always"})
    request = Request(
        "bench", Operation.CREATE, _gvk(), MODEL, namespace="serving", name="llama-3-8b", field_validation=FieldValidation.STRICT
    )
    stored = judged(request, facts, DEFAULT).object
    valid = Request("bench", Operation.CREATE, _gvk(), stored, namespace="serving", name="llama-3-8b")
    timings = compare(
        {
            "reference": reference,
            "whole way, as lint and dry-run": partial(judged, request, facts, DEFAULT),
            "schema and CEL alone": partial(judged, request, facts, DEFAULT, Phase.APISERVER),
            "mutating webhook": partial(judged, request, facts, DEFAULT, Phase.MUTATE),
            "validating webhook": partial(judged, valid, facts, DEFAULT, Phase.VALIDATE),
            "the same, crdRules: never": partial(judged, valid, facts, never, Phase.VALIDATE),
            "the same, the CRD without its rules": partial(judged, valid, lossy, DEFAULT, Phase.VALIDATE),
            "the same, crdRules: always": partial(judged, valid, facts, always, Phase.VALIDATE),
        }
    )
    base = timings["reference"].seconds
    print("One Model with every rule of its family, 20 nodes")
    for timing in timings.values():
        print(f"  {timing.name:36} {timing.seconds * 1e6:9.1f} µs  {timing.seconds / base:7.2f} x reference")


def _without_rules(node: Any) -> Any:
    """A CRD without CEL rules, as from a tool that doesn't know them."""
    if isinstance(node, dict):
        return {key: _without_rules(value) for key, value in node.items() if key != RULES}
    return [_without_rules(item) for item in node] if isinstance(node, list) else node


def _gvk() -> GroupVersionKind:
    gvk = GroupVersionKind.from_object(MODEL)
    assert gvk is not None
    return gvk
