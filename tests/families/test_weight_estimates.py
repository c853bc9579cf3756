"""The estimated bytes of weights, to the byte, and the words that explain the estimate."""

from __future__ import annotations

import pytest

from weighbridge.policies.families.weights import GIB, Weights, estimated, in_repository, parameters_in, repository_bits, stored_size


@pytest.mark.parametrize(
    ("repository", "bits", "size", "words"),
    [
        ("org/llama-8B", 0.0, 16_000_000_000, "8 billion parameters by its name, at 16 bits"),
        ("org/llama-8B@v1", 0.0, 16_000_000_000, "8 billion parameters by its name, at 16 bits"),
        ("org/llama-8B", 4.0, 4_000_000_000, "8 billion parameters by its name, at 4 bits"),
        ("org/llama-8B-FP8", 0.0, 8_000_000_000, "8 billion parameters by its name, at 8 bits"),
        ("org/llama-8B-AWQ", 0.0, 4_200_000_000, "8 billion parameters by its name, at 4.2 bits"),
        ("org/llama-8B-NVFP4", 0.0, 4_500_000_000, "8 billion parameters by its name, at 4.5 bits"),
        ("org/llama-8B-W4A16", 0.0, 4_000_000_000, "8 billion parameters by its name, at 4 bits"),
        ("org/llama-8B-INT3", 0.0, 3_000_000_000, "8 billion parameters by its name, at 3 bits"),
        ("org/mixtral-8x7B", 0.0, 89_600_000_000, "44.8 billion parameters by its name, at 16 bits"),
        ("org/qwen-0.5b", 0.0, 1_000_000_000, "0.5 billion parameters by its name, at 16 bits"),
    ],
)
def test_a_repository_is_estimated_by_its_name(repository: str, bits: float, size: int, words: str) -> None:
    assert in_repository(repository, bits) == Weights(size, words, is_estimate=True)


@pytest.mark.parametrize("repository", ["org/llama", "org/llama-8B-GGUF", "org/llama-8B-gguf", "org/llama-8B-4bit-8bit", "8B/llama", ""])
def test_a_name_that_does_not_tell_gives_no_estimate(repository: str) -> None:
    assert in_repository(repository) is None


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("llama", 16.0),
        ("llama-2bits", 2.0),
        ("llama-8-bit", 8.0),
        ("llama-9bit", 16.0),
        ("llama-1bit", 16.0),
        ("llama-INT8-INT8", 8.0),
        ("llama-INT4-INT8", 0.0),
        ("llama-AWQ-GPTQ", 4.2),
        ("llama-FP8-AWQ", 0.0),
        ("llama-AWQ-INT4", 4.0),
        ("llama-W8A8", 8.0),
        ("llamaFP8", 16.0),
    ],
)
def test_bits_are_those_of_the_name_or_those_of_unquantized_weights(name: str, bits: float) -> None:
    assert repository_bits(name) == bits


@pytest.mark.parametrize(
    ("parameters", "quantization", "size", "words"),
    [
        (8e9, "Q4_K_M", 4_800_000_000, "8 billion parameters at 4.8 bits (Q4_K_M)"),
        (70e9, "Q8_0", 74_375_000_000, "70 billion parameters at 8.5 bits (Q8_0)"),
        (1.5e9, "F32", 6_000_000_000, "1.5 billion parameters at 32 bits (F32)"),
    ],
)
def test_a_file_takes_its_parameters_at_its_formats_bits(parameters: float, quantization: str, size: int, words: str) -> None:
    assert estimated(parameters, quantization) == Weights(size, words)


@pytest.mark.parametrize(("parameters", "quantization"), [(0.0, "Q8_0"), (8e9, ""), (8e9, "Q9_9")])
def test_nothing_is_estimated_without_both(parameters: float, quantization: str) -> None:
    assert estimated(parameters, quantization) is None


@pytest.mark.parametrize(
    ("stored", "size"),
    [
        ("7 B", 7),
        ("2 KiB", 2048),
        ("1.5 MiB", 1_572_864),
        ("2GiB", 2 * GIB),
        ("0.5 TiB", GIB * 512),
        ("1 EiB", 0),
        ("-1 B", 0),
        ("1  B", 0),
    ],
)
def test_a_stored_size_is_read_to_the_byte(stored: str, size: int) -> None:
    assert stored_size(stored) == size


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("a-8x7b", 8 * 7e9 * 0.8),
        ("a-2x2b", 2 * 2e9 * 0.8),
        ("a-1x1.5b", 1.5e9 * 0.8),
        ("a-7b", 7e9),
        ("a/8b/c-7b", 7e9),
        ("a-7b-7B", 7e9),
        ("x7b", 0),
    ],
)
def test_a_mixtures_experts_share_a_fifth(name: str, parameters: float) -> None:
    assert parameters_in(name) == pytest.approx(parameters)


@pytest.mark.parametrize(
    ("weights", "shown"),
    [
        (Weights(GIB, "x"), "at least 1.0 GiB (x)"),
        (Weights(GIB * 3 // 2, "x", is_estimate=True), "an estimated 1.5 GiB (x)"),
    ],
)
def test_a_size_is_shown_with_how_it_is_known(weights: Weights, shown: str) -> None:
    assert weights.shown == shown
