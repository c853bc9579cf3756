"""The launch of llama.cpp, beyond the records."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.llmkube.engines.services import NEWEST, NOT_STORED, SEED, STORED, after, args, launched, model, service
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines.llamacpp_speculative import WITH_DRAFT, speculative_kind
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import DRAFTED, Storage

WHOLE: dict[str, Any] = {
    "contextSize": 8192,
    "ropeScaling": {"type": "yarn", "factor": "2.0", "originalContext": 4096},
    "parallelSlots": 4,
    "flashAttention": True,
    "jinja": True,
    "cacheTypeK": "q8_0",
    "cacheTypeV": "q4_0",
    "cacheTypeCustomV": "turbo3",
    "moeCPUOffload": True,
    "moeCPULayers": 6,
    "noKvOffload": True,
    "tensorOverrides": ["exps=CPU", "token_embd=CUDA0"],
    "batchSize": 512,
    "uBatchSize": 128,
    "noWarmup": True,
    "speculativeDecoding": {"type": "draft", "draftModel": "d.gguf", "nDraftMax": 5, "pMin": 0.75},
    "reasoningBudget": 0,
    "reasoningBudgetMessage": "enough",
    "metadataOverrides": ["k=int:1"],
    "mode": "rerank",
    "extraArgs": ["--threads", "4"],
}


def test_all_fields_together_come_in_the_operators_order() -> None:
    stored = Storage(model_path="/models/k/m.gguf", mmproj_path="/models/k/mm.gguf", draft_path="/models/k/d.gguf")
    assert args(service(**WHOLE), model({"count": 2, "layers": 20}), stored=stored) == [
        *("--model", "/models/k/m.gguf", "--port", "8080", "--host", "::"),
        *("--n-gpu-layers", "20", "--split-mode", "layer", "--tensor-split", "1,1"),
        *("--ctx-size", "8192", "--rope-scaling", "yarn", "--rope-scale", "2.0", "--yarn-orig-ctx", "4096"),
        *("--parallel", "4", "--flash-attn", "on", "--jinja", "--cache-type-k", "q8_0", "--cache-type-v", "turbo3"),
        *("--cpu-moe", "--n-cpu-moe", "6", "--no-kv-offload"),
        *("--override-tensor", "exps=CPU", "--override-tensor", "token_embd=CUDA0"),
        *("--batch-size", "512", "--ubatch-size", "128", "--no-warmup"),
        *("--spec-type", "draft-simple", "-md", "/models/k/d.gguf", "--spec-draft-n-max", "5", "--spec-draft-p-min", "0.75"),
        *("--reasoning-budget", "0", "--reasoning-budget-message", "enough"),
        *("--mmproj", "/models/k/mm.gguf", "--override-kv", "k=int:1"),
        *("--reranking", "--embedding", "--pooling", "rank", "--cache-ram", "0"),
        *("--threads", "4", "--metrics"),
    ]


@pytest.mark.parametrize(
    ("written", "extra", "kept_out"),
    [
        ({"parallelSlots": 4}, ["--parallel", "8"], "4"),
        ({"parallelSlots": 4}, ["--parallel=8"], "--parallel"),
        ({"ropeScaling": {"type": "yarn", "factor": "2.0"}}, ["--rope-scaling=linear"], "--rope-scale"),
        ({"bindAddress": "127.0.0.1"}, ["--host=0.0.0.0"], "127.0.0.1"),
        ({"mode": "embedding"}, ["--pooling=mean"], "last"),
        ({"mode": "embedding"}, ["--cache-ram", "512"], "0"),
    ],
)
def test_the_services_own_arguments_win(written: dict[str, Any], extra: list[str], kept_out: str) -> None:
    found = args(service(**written, extraArgs=extra))
    assert kept_out not in found
    assert found[-len(extra) - 1 : -1] == extra


def test_an_own_projector_wins() -> None:
    stored = replace(STORED, mmproj_path="/models/k/mm.gguf")
    assert "/models/k/mm.gguf" in args(service(), stored=stored)
    assert "/models/k/mm.gguf" not in args(service(extraArgs=["--mmproj", "/own.gguf"]), stored=stored)


@pytest.mark.parametrize(("version", "copies"), [((0, 9, 5), 2), ((0, 9, 13), 2), ((0, 9, 14), 1), ((0, 9, 19), 1)])
@pytest.mark.parametrize("runtime", ["llamacpp", "llamacpp-router"])
def test_metrics_are_not_asked_for_twice_any_more(runtime: str, version: tuple[int, int, int], copies: int) -> None:
    assert args(service(runtime, extraArgs=["--metrics"]), operator=KnownOperator(version=version)).count("--metrics") == copies


@pytest.mark.parametrize(
    "nothing",
    [
        {"contextSize": 0},
        {"moeCPULayers": 0},
        {"batchSize": 0},
        {"jinja": False},
        {"noWarmup": False},
        {"cacheTypeK": ""},
        {"reasoningBudgetMessage": "alone"},
        {"ropeScaling": {"factor": "2.0"}},
        {"mode": "chat"},
        {"endpoint": {"path": "/v1/embeddings", "port": 8080}},
        {"turboQuantBits": 3},
        {"vllmConfig": {"maxModelLen": 10}},
        {"tensorOverrides": []},
    ],
)
def test_what_says_nothing_leaves_the_arguments_as_they_are(nothing: dict[str, Any]) -> None:
    assert args(service(**nothing)) == args(service())


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("none", None),
        ("disabled", None),
        ("", None),
        ("mtp", ["draft-mtp"]),
        ("draft-mtp", ["draft-mtp", "-md", "/d.gguf"]),
        ("draft", ["draft-simple", "-md", "/d.gguf"]),
        ("draft-eagle3", ["draft-eagle3", "-md", "/d.gguf"]),
        ("draft-dflash", ["draft-dflash", "-md", "/d.gguf"]),
        ("draft-dspark", ["draft-dspark", "-md", "/d.gguf"]),
        ("ngram-simple", ["ngram-simple"]),
        ("ngram-map-k4v", ["ngram-map-k4v"]),
        ("ngram-cache", ["ngram-cache"]),
    ],
)
def test_each_kind_of_guessing_has_its_name_and_perhaps_a_draft_model(kind: str, told: list[str] | None) -> None:
    # A draft has a path only if the storage has one; a self-speculative kind, here with its short name, has none.
    stored = STORED if kind == "mtp" else replace(STORED, draft_path="/d.gguf")
    found = args(service(speculativeDecoding={"type": kind, "draftModelRef": "d"}), stored=stored)
    assert (found[found.index("--spec-type") + 1 : -1] if "--spec-type" in found else None) == told


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ((0, 9, 5), ["--spec-type", "draft", "--draft-n-max", "3"]),
        ((0, 9, 14), ["--spec-type", "draft", "--spec-draft-n-max", "3"]),
        ((0, 9, 15), ["--spec-type", "draft-simple", "--spec-draft-n-max", "3"]),
        ((0, 9, 18), ["--spec-type", "draft-simple", "-md", "/d.gguf", "--spec-draft-n-max", "3", "--spec-draft-p-min", "1"]),
    ],
)
def test_guessing_ahead_is_told_as_each_version_did(version: tuple[int, int, int], told: list[str]) -> None:
    block = {"type": "draft", "nDraftMax": 3, "pMin": 1.0}
    found = args(service(speculativeDecoding=block), operator=KnownOperator(version=version), stored=replace(STORED, draft_path="/d.gguf"))
    assert found[found.index("--spec-type") : -1] == told


def test_storage_looks_for_drafts_of_the_very_kinds_that_are_told_of_one() -> None:
    assert {speculative_kind(written, NEWEST) for written in DRAFTED} == WITH_DRAFT


@pytest.mark.parametrize(("p_min", "told"), [(0, "0"), (0.0, "0"), (0.05, "0.05"), (1.0, "1"), (0.00001, "1e-05")])
def test_the_least_probability_is_in_its_shortest_digits(p_min: float, told: str) -> None:
    assert after(args(service(speculativeDecoding={"type": "ngram-mod", "pMin": p_min})), "--spec-draft-p-min") == told


def test_modes_had_no_cache_flag_in_the_seeds_version() -> None:
    assert "--cache-ram" not in args(service(mode="embedding"), operator=SEED)
    assert after(args(service(mode="embedding"), operator=NEWEST), "--cache-ram") == "0"


def test_without_weights_in_the_pod_the_path_is_empty() -> None:
    found = launched(service(skipModelInit=True), stored=NOT_STORED)
    assert found.args[:2] == ("--model", "")
    assert found.values[1].source == "InferenceService svc spec.skipModelInit"


@pytest.mark.parametrize(
    ("spec", "warned"),
    [
        ({"moeCPUOffload": True}, True),
        ({"noKvOffload": True}, True),
        ({"noKvOffload": True, "resources": {"cpu": "1"}}, True),
        ({"noKvOffload": True, "resources": {"memory": "4Gi"}}, False),
        ({"moeCPUOffload": True, "resources": {"hostMemory": "64Gi"}}, False),
        ({"moeCPUOffload": False}, False),
        ({}, False),
    ],
)
def test_offloading_without_requested_memory_is_warned_of_whatever_the_engine(spec: dict[str, Any], warned: bool) -> None:
    for runtime in ("llamacpp", "vllm"):
        reasons = [event.reason for event in launched(service(runtime, **spec)).warnings]
        assert reasons == (["MissingMemoryRequest"] if warned else [])


def test_a_router_gets_no_flags_for_gpus_or_modes() -> None:
    found = args(service("llamacpp-router", mode="embedding", flashAttention=True, extraArgs=["--models-max", "2"]), model({"count": 2}))
    assert found == ["--models-dir", "/models", "--port", "8080", "--host", "::", "--metrics", "--models-max", "2"]


def test_a_router_is_plain_llamacpp_to_versions_that_know_none() -> None:
    assert args(service("llamacpp-router"), operator=SEED)[0] == "--model"
    assert args(service("llamacpp-router"), operator=KnownOperator(version=(0, 9, 8)))[:4] == ["--models-dir", "/models", "--host", "::"]
