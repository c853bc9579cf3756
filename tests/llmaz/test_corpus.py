"""Upstream's own manifests on a cluster with GPUs, on one without, on one that is scaled to zero, and without facts.

Each refusal and each warning has a reason that the manifest's author would accept.
"""

from __future__ import annotations

import pytest

from tests.conftest import SHARED
from tests.programs.sweep.samples import SITUATIONS, samples, told
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.verdict.engine import decide

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="upstream's manifests aren't next to the checkout")

OLD_SHAPE = "the shape of before September 2024: no server has taken it since, and the template of the workers doesn't exist"
TWO_VOLUMES = "a folder of the node: the LeaderWorkerSet has two volumes of one name and is never applied"
NO_GPU = "the flavor asks for a GPU, and no node has one or may come with one: the pods would wait for good"
LATER = "the model may be registered before its nodes join, so that this warns; on these nodes nothing could serve it"
TWICE = "the GPU in the Playground is overwritten by the flavor's: what the author wrote there says nothing"

OLD = "samples/inference_v1alpha1_service.yaml Service opt-125m"
FOLDER = "hostpath/playground.yaml Playground qwen2-0--5b-instruct"
STREAMED = "runai-streamer/playground-streaming-from-file-system.yaml Playground deepseek-r1-distill-qwen-1-5b"
#: Models whose flavors request a GPU, and their Playgrounds.
MODELS = (
    "samples/_v1alpha1_openmodel.yaml OpenModel opt-125m",
    "envoy-ai-gateway/basic-vllm.yaml OpenModel qwen3-0--6b",
    "hostpath/playground.yaml OpenModel qwen2-0--5b-instruct",
    "huggingface/playground.yaml OpenModel opt-125m",
    "objstore-oss/playground.yaml OpenModel qwen2-7b",
    "runai-streamer/playground-streaming-from-file-system.yaml OpenModel deepseek-r1-distill-qwen-1-5b",
    "vllm/playground.yaml OpenModel opt-6--7b",
    "tensorrt-llm/playground.yaml OpenModel qwen2-0--5b",
)
PLAYGROUNDS = (
    "envoy-ai-gateway/basic-vllm.yaml Playground qwen3-0--6b",
    FOLDER,
    "huggingface/playground.yaml Playground opt-125m",
    "objstore-oss/playground.yaml Playground qwen2-7b",
    STREAMED,
    "vllm/playground.yaml Playground vllm-speculator",
    "tensorrt-llm/playground.yaml Playground qwen2-0--5b",
)
#: The findings of every situation, by document and rule, with the reason.
EVERYWHERE = {
    (OLD, "K8S-001"): OLD_SHAPE,
    (OLD, "K8S-003"): OLD_SHAPE,
    (OLD, "LLMAZ-021"): OLD_SHAPE,
    (OLD, "LLMAZ-060"): OLD_SHAPE,
    (FOLDER, "LLMAZ-041"): TWO_VOLUMES,
    (STREAMED, "LLMAZ-038"): TWICE,
}
#: Further findings of one situation.
ONLY_THERE = {"cpu": {**{(name, "LLMAZ-017"): LATER for name in MODELS}, **{(name, "LLMAZ-071"): NO_GPU for name in PLAYGROUNDS}}}
WARNINGS = {"LLMAZ-017", "LLMAZ-038"}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_each_manifest_is_judged_as_its_author_would_agree(situation: str) -> None:
    found = set()
    for sample in samples("llmaz"):
        facts = sample.facts(situation)
        decision = decide(sample.request(facts), facts, DEFAULT)
        rules = {rule for each in told(decision).values() for rule in each}
        found |= {(sample.id, rule) for rule in rules}
        assert decision.allowed is (rules <= WARNINGS), decision.message
    assert found == {*EVERYWHERE, *ONLY_THERE.get(situation, {})}


def test_most_of_them_are_silent_where_there_are_gpus() -> None:
    assert len(samples("llmaz")) > 20
    assert len({name for name, _ in EVERYWHERE}) == 3
