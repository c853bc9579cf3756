"""Upstream's own manifests without a cluster and on three clusters: the refusals, with reasons that their authors would accept."""

from __future__ import annotations

from typing import Final

import pytest

from tests.conftest import SHARED
from tests.programs.sweep.samples import SITUATIONS, samples, told
from weighbridge.policies.verdict.engine import decide

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="upstream's manifests aren't next to the checkout")

_TWO_TAGS: Final = "the image has two tags: its labels are never read, and the model is Degraded"
_PRUNED: Final = "the runtime config has a field that its CRD hasn't, which kubectl refuses too"
_PLACEHOLDER: Final = "the storage class is a placeholder of the program that runs the test"
_H100: Final = "an H100 is asked for as amd.com/gpu, which no node can have; the test wants a template that isn't available"
#: Objects that are refused everywhere.
EVERYWHERE: Final = {
    ("auto-creation/runtime-config.yaml AIMRuntimeConfig auto-creation-config", "K8S-001"): _PRUNED,
    ("gateway-not-exists/cluster-image.yaml AIMClusterModel llama-3-8b-routing-no-gateway", "AIM-022"): _TWO_TAGS,
    ("standalone/kvcache-custom-config.yaml AIMKVCache custom-config", "AIM-103"): _PLACEHOLDER,
    ("standalone/kvcache-status-test.yaml AIMKVCache status-test", "AIM-103"): _PLACEHOLDER,
}
#: Objects that are refused if no node has NVIDIA's GPUs; if one has, the resource is filled in.
WITHOUT_NVIDIA: Final = {
    ("filters-unavailable-gpus/template-h100.yaml AIMClusterServiceTemplate test-filter-h100", "AIM-042"): _H100,
    ("not-available-wrong-gpu/cluster-template.yaml AIMClusterServiceTemplate test-wrong-gpu-h100", "AIM-042"): _H100,
}
#: The warnings, with the author's likely answer.
WARNED: Final = {
    "AIM-019": "the field is there to show that the service passes over it",
    "AIM-022": _TWO_TAGS,
    "AIM-035": "the field is there, and no operator reads it",
    "AIM-036": "the test wants a large headroom",
    "AIM-037": "the storage class is that of the author's cluster",
    "AIM-040": "the GPU is one of AMD, and the cluster has none",
    "AIM-041": "the GPU is one of AMD, and the cluster has none",
    "AIM-045": "the test wants a source that fails",
    "AIM-055": "the test makes two templates alike",
    "AIM-071": "the test carries an access key in plain text",
    "AIM-072": "the cluster has no KEDA",
    "AIM-077": "the field is the deprecated one",
    "AIM-078": "the test is about the old mode",
    "AIM-079": "the test writes the statuses itself, and so stops the operator",
    "AIM-090": "the object is of the old group",
    "PLACE-001": "the claim of the KV cache has no storage class, and the cluster has no default one",
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_each_manifest_is_judged_as_its_author_would_agree(situation: str) -> None:
    refused, warned = set(), set()
    for sample in samples("aim"):
        facts = sample.facts(situation)
        found = told(decide(sample.request(facts), facts, sample.config))
        refused |= {(sample.id, rule) for rule in found.get("error", ())}
        warned |= found.get("warning", set())
    assert refused == {*EVERYWHERE, *(WITHOUT_NVIDIA if situation != "gpu" else ())}
    assert warned <= set(WARNED)
    assert len(samples("aim")) > 140
