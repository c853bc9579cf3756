"""The launch of vLLM, SGLang, TGI, PersonaPlex and the user's own containers, beyond the records."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmkube.engines.services import NEWEST, NOT_STORED, SEED, after, args, launched, model, service
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines import default_metric, default_port

GUESSES = {"enabled": True, "algorithm": "EAGLE3", "draftModelPath": "/d", "numSteps": 3, "eagleTopK": 8, "numDraftTokens": 5}


def test_vllm_gets_all_fields_in_the_operators_order() -> None:
    block = {
        "tensorParallelSize": 4, "maxModelLen": 8192, "quantization": "fp8", "dtype": "bfloat16",
        "kvCacheDtype": "fp8_e5m2", "kvCacheCustomDtype": "turbo2", "enablePrefixCaching": True, "enableChunkedPrefill": True,
        "maxNumBatchedTokens": 2048, "attentionBackend": "FLASHINFER", "enableExpertParallel": True, "cpuOffloadGB": 0,
        "gpuMemoryUtilization": 0.9, "speculative": {"enabled": True, "model": "org/draft", "numSpeculativeTokens": 4},
    }  # fmt: skip
    assert args(service("vllm", vllmConfig=block, parallelSlots=8, extraArgs=["--seed", "1"]), model({"count": 4})) == [
        *("/models/k/m.gguf", "--port", "8000", "--host", "::", "--tensor-parallel-size", "4", "--max-model-len", "8192"),
        *("--quantization", "fp8", "--dtype", "bfloat16", "--kv-cache-dtype", "turbo2"),
        *("--enable-prefix-caching", "--enable-chunked-prefill", "--max-num-batched-tokens", "2048", "--attention-backend", "FLASHINFER"),
        *("--speculative-model", "org/draft", "--num-speculative-tokens", "4", "--enable-expert-parallel"),
        *("--cpu-offload-gb", "0", "--gpu-memory-utilization", "0.9", "--max-num-seqs", "8", "--seed", "1"),
    ]


def test_sglang_gets_all_fields_in_the_operators_order() -> None:
    block = {
        "tensorParallelSize": 1, "expertParallelSize": 2, "dataParallelSize": 2, "contextLength": 4096, "memFractionStatic": 0.85,
        "chunkedPrefillSize": 512, "maxRunningRequests": 64, "quantization": "awq", "kvCacheDtype": "fp8_e4m3",
        "attentionBackend": "flashinfer", "enablePrefixCaching": True, "toolCallParser": "qwen3", "reasoningParser": "deepseek-r1",
        "chatTemplate": "/t.jinja", "speculative": {**GUESSES, "acceptThresholdSingle": 0.9, "acceptThresholdAcc": 0.00001},
        "loraAdapters": [{"name": "a", "path": "/a"}], "loraModules": ["b=/b"], "maxLoraRank": 16,
        "loraTargetModules": ["q_proj", "k_proj"], "logLevel": "debug", "trustRemoteCode": True, "skipTokenizerInit": True,
    }  # fmt: skip
    assert args(service("sglang", sglangConfig=block, mode="embedding", extraArgs=["--seed", "1"]), model({"count": 2})) == [
        *("--model-path", "/models/k/m.gguf", "--port", "30000", "--enable-metrics", "--host", "::", "--served-model-name", "m"),
        *("--tp", "1", "--ep", "2", "--dp", "2", "--context-length", "4096", "--mem-fraction-static", "0.85"),
        *("--chunked-prefill-size", "512", "--max-running-requests", "64", "--quantization", "awq", "--kv-cache-dtype", "fp8_e4m3"),
        *("--attention-backend", "flashinfer", "--enable-prefix-caching", "--tool-call-parser", "qwen3"),
        *("--reasoning-parser", "deepseek-r1", "--chat-template", "/t.jinja", "--speculative-algorithm", "EAGLE3"),
        *("--speculative-draft-model-path", "/d", "--speculative-num-steps", "3", "--speculative-eagle-topk", "8"),
        *("--speculative-num-draft-tokens", "5", "--speculative-accept-threshold-single", "0.9"),
        *("--speculative-accept-threshold-acc", "0.00001", "--lora-paths", "a=/a", "b=/b", "--max-lora-rank", "16"),
        *("--lora-target-modules", "q_proj", "k_proj", "--log-level", "debug", "--trust-remote-code", "--skip-tokenizer-init"),
        *("--is-embedding", "--seed", "1"),
    ]


def test_tgi_gets_all_fields_in_the_operators_order() -> None:
    block = {"quantize": "awq", "maxInputLength": 1000, "maxTotalTokens": 2000, "dtype": "float16"}
    of = service("tgi", tgiConfig=block, bindAddress="10.0.0.1", extraArgs=["--seed", "1"])
    assert args(of, model({"count": 2}, source="org/name"), stored=NOT_STORED) == [
        *("--model-id", "org/name", "--port", "80", "--hostname", "10.0.0.1", "--quantize", "awq"),
        *("--max-input-length", "1000", "--max-total-tokens", "2000", "--dtype", "float16", "--num-shard", "2", "--seed", "1"),
    ]


@pytest.mark.parametrize(("version", "copies"), [((0, 9, 5), 0), ((0, 9, 11), 4), ((0, 9, 13), 1), ((0, 9, 19), 1)])
def test_own_arguments_of_tgi_came_late_and_first_four_times(version: tuple[int, int, int], copies: int) -> None:
    assert args(service("tgi", extraArgs=["--a"]), operator=KnownOperator(version=version)).count("--a") == copies


@pytest.mark.parametrize(
    ("runtime", "flag", "block"), [("vllm", "--tensor-parallel-size", "vllmConfig"), ("sglang", "--tp", "sglangConfig")]
)
@pytest.mark.parametrize(
    ("count", "size", "told"),
    [(0, None, None), (1, None, None), (2, None, "2"), (8, None, "8"), (2, 2, "2"), (4, 2, "2"), (0, 2, "2"), (2, -3, None), (2, 0, None)],
)
def test_a_model_is_divided_among_all_gpus_unless_a_size_is_given(
    runtime: str, flag: str, block: str, count: int, size: int | None, told: str | None
) -> None:
    config = {} if size is None else {block: {"tensorParallelSize": size}}
    found = args(service(runtime, **config), model({"count": count}))
    assert (after(found, flag) if flag in found else None) == told


def test_vllm_has_nothing_to_divide_by_one_and_sglang_says_one() -> None:
    assert "--tensor-parallel-size" not in args(service("vllm", vllmConfig={"tensorParallelSize": 1}), model({"count": 2}))
    assert after(args(service("sglang", sglangConfig={"tensorParallelSize": 1}), model({"count": 2})), "--tp") == "1"


@pytest.mark.parametrize("gpu", [{"count": 0}, {"resourceClaims": [{"name": "a"}]}])
def test_memory_of_gpus_is_left_out_without_a_count(gpu: dict[str, Any]) -> None:
    vllm = args(service("vllm", vllmConfig={"cpuOffloadGB": 4, "gpuMemoryUtilization": 0.9}), model(gpu))
    sglang = args(service("sglang", sglangConfig={"memFractionStatic": 0.8}), model(gpu))
    assert not {"--cpu-offload-gb", "--gpu-memory-utilization", "--mem-fraction-static"} & {*vllm, *sglang}


@pytest.mark.parametrize(
    ("written", "version", "told"),
    [
        ("org/name", (0, 9, 19), "org/name"),
        ("hf://org/name", (0, 9, 19), "org/name"),
        ("hf://org/name@v1", (0, 9, 19), "org/name@v1"),
        ("hf://org/name@", (0, 9, 19), "hf://org/name@"),
        ("https://huggingface.co/org/name", (0, 9, 19), "org/name"),
        ("https://huggingface.co/org/name/tree/v1", (0, 9, 19), "org/name@v1"),
        ("https://huggingface.co/org/name/resolve/main/m.gguf", (0, 9, 19), "https://huggingface.co/org/name/resolve/main/m.gguf"),
        ("https://models.example.com/m.gguf", (0, 9, 19), "https://models.example.com/m.gguf"),
        ("pvc://claim/m.gguf", (0, 9, 19), "pvc://claim/m.gguf"),
        ("hf://org/name", (0, 9, 12), "https://huggingface.co/org/name/resolve/main/"),
        ("hf://org/name", (0, 9, 5), "org/name"),
        ("https://huggingface.co/org/name", (0, 9, 5), "https://huggingface.co/org/name"),
    ],
)
@pytest.mark.parametrize("runtime", ["vllm", "sglang", "tgi"])
def test_an_engine_that_fetches_its_model_is_told_the_repository(
    runtime: str, written: str, version: tuple[int, int, int], told: str
) -> None:
    found = args(service(runtime), model(source=written), KnownOperator(version=version), NOT_STORED)
    assert found[0 if runtime == "vllm" else 1] == told


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ({"loraModules": ["a=/a", "b=/b=c"]}, ["a=/a", "b=/b=c"]),
        ({"loraModules": ['{"name":"a","path":"/a"}', '{"NAME":"b"}']}, ["a=/a", "b="]),
        ({"loraModules": ["nonsense", "", "=/a", '{"name":5}', '{"name":"x","path":5}', "[]", "null", "a b=/a"]}, None),
        ({"loraAdapters": [{"name": "a", "path": "/typed"}], "loraModules": ["a=/older", "b=/b"]}, ["a=/typed", "b=/b"]),
        ({"loraAdapters": [{"name": "", "path": "/a"}]}, None),
        ({"loraModules": []}, None),
    ],
)
def test_adapters_of_sglang_are_one_list(block: dict[str, Any], told: list[str] | None) -> None:
    found = args(service("sglang", sglangConfig=block, extraArgs=["--end"]))
    assert (found[found.index("--lora-paths") + 1 : -1] if "--lora-paths" in found else None) == told


def test_adapters_of_the_seeds_version_are_one_word_and_typed_ones_unread() -> None:
    block = {"loraAdapters": [{"name": "a", "path": "/a"}], "loraModules": ["b=/b", "nonsense"], "loraTargetModules": ["q", "k"]}
    found = args(service("sglang", sglangConfig=block), operator=SEED)
    assert found[-4:] == ["--lora-modules", "b=/b,nonsense", "--lora-target-modules", "q,k"]


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({"mode": "embedding"}, True),
        ({"mode": "rerank"}, False),
        ({"endpoint": {"path": "/v1/embeddings"}}, True),
        ({"extraArgs": ["--embedding=x"]}, True),
        ({"mode": "chat", "endpoint": {"path": "/v1/embeddings"}}, False),
        ({"mode": "embedding", "extraArgs": ["--is-embedding"]}, False),
        ({"extraArgs": ["--reranking", "--embedding"]}, False),
        ({"endpoint": {"path": "/rerank/embeddings"}}, False),
    ],
)
def test_sglang_is_told_of_embeddings_where_the_service_is_for_them(spec: dict[str, Any], told: bool) -> None:
    own = spec.get("extraArgs", [])
    found = args(service("sglang", **spec))
    assert ("--is-embedding" in found[: len(found) - len(own)]) is told


def test_the_name_that_clients_use_is_the_models_unless_given() -> None:
    assert after(args(service("sglang")), "--served-model-name") == "m"
    assert args(service("sglang", extraArgs=["--served-model-name=x"])).count("m") == 0


@pytest.mark.parametrize(
    ("runtime", "spec", "version", "reason"),
    [
        ("vllm", {"vllmConfig": {"speculative": {"enabled": True}, "cpuOffloadGB": 4}}, (0, 9, 19), "SpeculativeMissingModel"),
        ("vllm", {"vllmConfig": {"cpuOffloadGB": 4}}, (0, 9, 19), "CPUOffloadUnverified"),
        ("vllm", {"vllmConfig": {"cpuOffloadGB": 4}}, (0, 9, 5), None),
        ("vllm", {"vllmConfig": {"cpuOffloadGB": 0}}, (0, 9, 19), None),
        ("vllm", {"vllmConfig": {"speculative": {"enabled": True, "model": "d"}}}, (0, 9, 19), None),
        ("sglang", {"sglangConfig": {"speculative": {"enabled": True, "algorithm": "EAGLE"}}}, (0, 9, 19), "SpeculativeMissingConfig"),
        ("sglang", {"sglangConfig": {"speculative": {"acceptThresholdAcc": 0}}}, (0, 9, 19), "SpeculativeAcceptThresholdUnused"),
        ("sglang", {"sglangConfig": {"speculative": {"acceptThresholdAcc": 0}}}, (0, 9, 5), None),
        ("sglang", {"sglangConfig": {"speculative": {**GUESSES, "acceptThresholdAcc": 0.5}}}, (0, 9, 19), None),
        ("sglang", {"vllmConfig": {"speculative": {"enabled": True}}}, (0, 9, 19), None),
        ("llamacpp", {"vllmConfig": {"speculative": {"enabled": True}}}, (0, 9, 19), None),
    ],
)
def test_doubts_about_settings_become_a_condition_of_their_engine(
    runtime: str, spec: dict[str, Any], version: tuple[int, int, int], reason: str | None
) -> None:
    conditions = launched(service(runtime, **spec), operator=KnownOperator(version=version)).conditions
    assert [condition["reason"] for condition in conditions] == ([reason] if reason else [])
    assert all(condition["status"] == "False" and condition["message"] for condition in conditions)


def test_unverified_offloading_is_an_event_too_even_beside_a_worse_doubt() -> None:
    found = launched(service("vllm", vllmConfig={"speculative": {"enabled": True}, "cpuOffloadGB": 4}))
    assert [event.reason for event in found.warnings] == ["CPUOffloadUnverified"]


@pytest.mark.parametrize(
    ("runtime", "port", "metric"),
    [
        ("llamacpp", 8080, "llamacpp:requests_processing"),
        ("llamacpp-router", 8080, "llamacpp:requests_processing"),
        ("vllm", 8000, "vllm:num_requests_running"),
        ("sglang", 30000, "sglang:num_running_reqs"),
        ("tgi", 80, "tgi:queue_size"),
        ("personaplex", 8998, "llamacpp:requests_processing"),
        ("generic", 8080, "llamacpp:requests_processing"),
        ("unheard-of", 8080, "llamacpp:requests_processing"),
    ],
)
def test_each_engine_has_its_port_and_its_metric(runtime: str, port: int, metric: str) -> None:
    assert default_port(runtime) == launched(service(runtime)).port == port
    assert default_metric(runtime) == default_metric(runtime, NEWEST) == metric


def test_sglangs_metric_had_another_name_in_the_seeds_version() -> None:
    assert default_metric("sglang", SEED) == "sglang:num_requests_running"
