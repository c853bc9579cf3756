"""Upstream's manifests of each release on three clusters and without facts: the findings, with reasons that an author would accept."""

from __future__ import annotations

import pytest

from tests.conftest import SHARED
from tests.programs.sweep.samples import SITUATIONS, samples, told
from weighbridge.policies.verdict.engine import decide

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="upstream's manifests aren't next to the checkout")

GONE = "v1alpha1 went with v0.2.0, without a conversion: no server of a later release takes it"
PRUNED = "the reference to a picker has never had a namespace: kubectl refuses the field, other clients lose it"
MIXED = "v1 with the fields of v1alpha2: no server has ever taken it"
SAME_PODS = "two pools choose the same pods, which a test of protocols wants and traffic doesn't"
NO_PICKER = "without a picker the pool is not accepted by every gateway, which is what the test is about"
PLACEHOLDER = "the picker's Service is in a namespace that a script fills in, so that it isn't in the pool's"
NO_SERVICE = "the Service of the picker doesn't exist, which is what the test is about"

EVERYWHERE = {
    ("samples/gateway_v1alpha1_inferencemodel.yaml InferenceModel inferencemodel-sample", "K8S-008"): GONE,
    ("samples/gateway_v1alpha1_inferencepool.yaml InferencePool inferencepool-sample", "K8S-008"): GONE,
    ("manifests/inferencemodel.yaml InferenceModel inferencemodel-sample", "K8S-008"): GONE,
    ("testdata/inferencepool-e2e.yaml InferencePool vllm-llama3-8b-instruct", "K8S-001"): PRUNED,
    ("testdata/inferencepool-e2e.yaml InferencePool vllm-qwen3-32b", "K8S-001"): PRUNED,
    ("testdata/inferencepool-leader-election-e2e.yaml InferencePool vllm-qwen3-32b", "K8S-001"): MIXED,
    ("testdata/inferencepool-leader-election-e2e.yaml InferencePool vllm-qwen3-32b", "K8S-003"): MIXED,
    ("resources/base.yaml InferencePool appprotocol-http-inference-pool", "GIE-017"): SAME_PODS,
    ("resources/base.yaml InferencePool appprotocol-h2c-inference-pool", "GIE-017"): SAME_PODS,
    ("tests/inferencepool_missing_epp_ref.yaml InferencePool pool-with-missing-epp-ref", "GIE-014"): NO_PICKER,
}
#: Findings if all Services are known.
WHERE_SERVICES_ARE_KNOWN = {
    ("testdata/inferencepool-e2e.yaml InferencePool vllm-llama3-8b-instruct", "GIE-010"): PLACEHOLDER,
    ("testdata/inferencepool-e2e.yaml InferencePool vllm-qwen3-32b", "GIE-010"): PLACEHOLDER,
    ("testdata/inferencepool-leader-election-e2e.yaml InferencePool vllm-qwen3-32b", "GIE-010"): PLACEHOLDER,
    ("tests/inferencepool_invalid_epp_service.yaml InferencePool pool-with-invalid-epp", "GIE-010"): NO_SERVICE,
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_each_manifest_is_judged_as_its_author_would_agree(situation: str) -> None:
    found = set()
    for sample in samples("inference_extension"):
        facts = sample.facts(situation)
        decision = decide(sample.request(facts), facts, sample.config)
        found |= {(sample.id, rule) for each in told(decision).values() for rule in each}
    assert found == {*EVERYWHERE, *(WHERE_SERVICES_ARE_KNOWN if SITUATIONS[situation] else {})}
    assert len(samples("inference_extension")) > 50
