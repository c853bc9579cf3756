"""The memory that weights need, by the names of models, and the memory that GPUs have, by the labels of nodes."""

from __future__ import annotations

import pytest

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.facts.accelerators.memory import memory_of, most_memory
from weighbridge.policies.families.llmkube.subject.weights import weights
from weighbridge.policies.families.weights import parameters_in, quantization_in, repository_bits, stored_size
from weighbridge.policies.ground.objects import JSONObject

GIB = 2**30


def _model(source: str, **more: object) -> JSONObject:
    return {"metadata": {"name": "m"}, "spec": {"source": source, **more}}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("llama-8b-q4_k_m.gguf", "Q4_K_M"),
        ("Qwen3-30B-A3B-UD-Q4_K_XL.gguf", ""),
        ("model-IQ4_XS-00001-of-00002.gguf", "IQ4_XS"),
        ("gpt-oss-20b-mxfp4.gguf", "MXFP4"),
        ("a-q8_0/b-q4_0.gguf", "Q4_0"),
        ("from-f16-to-q4_0.gguf", ""),
        ("bf16.gguf", "BF16"),
        ("xf16y", ""),
    ],
)
def test_the_quantization_is_read_where_there_is_one(name: str, found: str) -> None:
    assert quantization_in(name) == found


@pytest.mark.parametrize(
    ("name", "billions"),
    [
        ("org/Llama-3.1-8B-Instruct", 8),
        ("qwen2.5-0.5b-q4_k_m.gguf", 0.5),
        ("mixtral-8x7b", 44.8),
        ("Qwen3-30B-A3B", 30),
        ("llama-3b-vs-8b", 0),
        ("web", 0),
        ("llama-2.gguf", 0),
    ],
)
def test_the_parameters_are_read_where_one_number_is_given(name: str, billions: float) -> None:
    assert parameters_in(name) == pytest.approx(billions * 1e9)


@pytest.mark.parametrize(("stored", "size"), [("4.5 GiB", int(4.5 * GIB)), ("64 B", 64), ("0", 0), ("", 0), ("4.5 GB", 0)])
def test_the_operators_sizes_are_read(stored: str, size: int) -> None:
    assert stored_size(stored) == size


def test_a_stored_size_is_taken_before_names() -> None:
    model = _model("https://x/llama-70b-q8_0.gguf") | {"status": {"size": "4.5 GiB"}}
    found = weights(model)
    assert found is not None
    assert (found.size, found.known_from) == (int(4.5 * GIB), "status.size 4.5 GiB")


def test_names_make_an_estimate() -> None:
    found = weights(_model("hf://org/Llama-3.1-8B-GGUF", files=["model-q8_0.gguf"]))
    assert found is not None
    assert found.size == int(8e9 * 8.5 / 8)
    assert found.known_from == "8 billion parameters at 8.5 bits (Q8_0)"


def test_the_field_tells_the_quantization_where_the_file_does_not() -> None:
    found = weights(_model("https://x/llama-8b.gguf", quantization="Q4_0"))
    assert found is not None
    assert found.size == int(8e9 * 4.6 / 8)


@pytest.mark.parametrize("source", ["https://x/model.gguf", "https://x/llama-8b.gguf", "https://x/model-q4_0.gguf", ""])
def test_nothing_is_estimated_where_a_part_is_not_known(source: str) -> None:
    assert weights(_model(source)) is None


def _node(name: str, labels: dict[str, str], resource: str = "nvidia.com/gpu", count: int = 4) -> Node:
    return Node.from_object({"metadata": {"name": name, "labels": labels}, "status": {"allocatable": {resource: str(count)}}})


@pytest.mark.parametrize(
    ("labels", "resource", "size"),
    [
        ({"nvidia.com/gpu.memory": "81559"}, "nvidia.com/gpu", 81559 * 2**20),
        ({"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}, "nvidia.com/gpu", 80 * GIB),
        ({"nvidia.com/gpu.product": "NVIDIA-A10"}, "nvidia.com/gpu", 0),
        ({"nvidia.com/gpu.memory": "81559"}, "nvidia.com/mig-1g.10gb", 10 << 30),
        ({"amd.com/gpu.vram": "192G"}, "amd.com/gpu", 192 * GIB),
        ({"beta.amd.com/gpu.vram.64G": "2"}, "amd.com/gpu", 64 * GIB),
        ({"amd.com/gpu.vram": "192G"}, "devic.es/dri-render", 0),
        ({}, "nvidia.com/gpu", 0),
    ],
)
def test_labels_tell_the_memory_of_a_gpu(labels: dict[str, str], resource: str, size: int) -> None:
    assert memory_of(_node("n", labels, resource), resource) == size


def test_the_roomiest_node_counts() -> None:
    small, large = _node("small", {"nvidia.com/gpu.memory": "1024"}), _node("large", {"nvidia.com/gpu.memory": "4096"})
    room = most_memory(Inventory([small, large]), "nvidia.com/gpu", 2)
    assert room is not None
    assert (room.node.name, room.size) == ("large", 2 * 4 * GIB)


def test_nothing_is_said_where_one_node_may_have_more() -> None:
    known, unknown = _node("known", {"nvidia.com/gpu.memory": "1024"}), _node("unknown", {})
    assert most_memory(Inventory([known, unknown]), "nvidia.com/gpu", 1) is None
    assert most_memory(Inventory([known]), "nvidia.com/gpu", 8) is None


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("Qwen2.5-72B-Instruct", 16),
        ("Qwen2.5-72B-Instruct-AWQ", 4.2),
        ("Qwen2.5-72B-Instruct-GPTQ-Int8", 8),
        ("Llama-3.1-405B-Instruct-FP8", 8),
        ("Llama-3.1-70B-Instruct-quantized.w4a16", 4),
        ("Llama-3.3-70B-Instruct-bnb-4bit", 4),
        ("gpt-oss-120b", 4.3),
        ("model-int4-int8", 0),
    ],
)
def test_the_bits_of_a_repository_are_those_of_its_name(name: str, bits: float) -> None:
    assert repository_bits(name) == bits


@pytest.mark.parametrize(
    ("source", "gib"),
    [
        ("Qwen/Qwen2.5-72B-Instruct", 134.1),
        ("hf://meta-llama/Llama-3.1-405B-Instruct-FP8@main", 377.2),
        ("mistralai/Mixtral-8x7B-Instruct-v0.1", 83.4),
        ("Qwen/Qwen3-30B-A3B", 55.9),
        ("org/Llama-3-8B-GGUF", 0),
        ("deepseek-ai/DeepSeek-R1", 0),
        ("https://example.com/Llama-3-8B.safetensors", 0),
    ],
)
def test_a_repository_is_estimated_by_its_name(source: str, gib: float) -> None:
    found = weights(_model(source))
    assert (found is not None and found.is_estimate) == bool(gib)
    assert (found.size / GIB if found is not None else 0) == pytest.approx(gib, abs=0.1)


def test_an_engine_that_quantizes_needs_less() -> None:
    found = weights(_model("Qwen/Qwen2.5-72B-Instruct"), bits=8)
    assert found is not None
    assert found.shown == "an estimated 67.1 GiB (72 billion parameters by its name, at 8 bits)"
