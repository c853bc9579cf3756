"""The BackendRuntimes that llmaz's chart installs, for predictions where the cluster's aren't known.

What is a script in them isn't here: the arguments of ollama, and what vllm and llamacpp run before they stop. Of the rules those go by them
that look at how the engine is started, and say so; no other does, since anybody may have changed theirs. Source: llmaz 3c13ff3,
chart/values.global.yaml and chart/templates/backends.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from weighbridge.policies.families.llmaz.kinds import BACKEND_RUNTIME, DEFAULT_CONFIG, SPECULATIVE_CONFIG
from weighbridge.policies.ground.objects import JSONObject

_PORT: Final = 8080
_MODEL, _NAME, _DRAFT = "{{ .ModelPath }}", "{{ .ModelName }}", "{{ .DraftModelPath }}"
_LISTEN: Final = ("--host", "0.0.0.0", "--port", str(_PORT))  # noqa: S104


def _amounts(cpu: int, memory: str) -> JSONObject:
    return {"cpu": cpu, "memory": memory}


def _config(name: str, args: Sequence[str], requests: JSONObject, limits: JSONObject, shared_memory: str = "") -> JSONObject:
    resources = {"resources": {"requests": requests, "limits": limits}} if requests else {}
    return {"name": name, "args": list(args), **resources, **({"sharedMemorySize": shared_memory} if shared_memory else {})}


def _default(args: Sequence[str], amounts: JSONObject, shared_memory: str = "") -> JSONObject:
    return _config(DEFAULT_CONFIG, args, amounts, amounts, shared_memory)


def _probes(ready: str) -> JSONObject:
    def probe(path: str, period: int, failures: int, delay: int = 0) -> JSONObject:
        found = {"periodSeconds": period, "failureThreshold": failures, "httpGet": {"path": path, "port": _PORT}}
        return {**({"initialDelaySeconds": delay} if delay else {}), **found}

    return {"startupProbe": probe("/health", 10, 30), "livenessProbe": probe("/health", 10, 3, 15), "readinessProbe": probe(ready, 5, 3, 5)}


@cache
def _specs() -> dict[str, JSONObject]:
    """What each says, by its name."""
    small, middle, large = _amounts(2, "4Gi"), _amounts(4, "8Gi"), _amounts(4, "16Gi")
    served = ("--served-model-name", _NAME)
    guessing = ("--model", _MODEL, *served, "--speculative_model", _DRAFT, *_LISTEN, "--num_speculative_tokens", "5", "-tp", "1")
    drafting = ("-m", _MODEL, "-md", _DRAFT, *_LISTEN, "--draft-max", "16", "--draft-min", "5")
    health = _probes("/health")
    return {
        "llamacpp": {
            "image": "ghcr.io/ggerganov/llama.cpp",
            "version": "server",
            "command": ["./llama-server"],
            "recommendedConfigs": [
                _default(("-m", _MODEL, *_LISTEN, "--metrics"), small),
                _config(SPECULATIVE_CONFIG, drafting, {}, {}),
            ],
            **health,
        },
        "ollama": {
            "image": "ollama/ollama",
            "version": "latest",
            "command": ["sh", "-c"],
            "recommendedConfigs": [_default((), small)],
        },
        "sglang": {
            "image": "lmsysorg/sglang",
            "version": "v0.4.5-cu121",
            "command": ["python3", "-m", "sglang.launch_server"],
            "recommendedConfigs": [_default(("--model-path", _MODEL, *served, *_LISTEN), middle, "2Gi")],
            **_probes("/health_generate"),
        },
        "tensorrt-llm": {
            "image": "nvcr.io/nvidia/tritonserver",
            "version": "25.03-trtllm-python-py3",
            "command": ["trtllm-serve"],
            "recommendedConfigs": [_default((_MODEL, *_LISTEN), large)],
            **health,
        },
        "tgi": {
            "image": "ghcr.io/huggingface/text-generation-inference",
            "version": "2.3.1",
            "recommendedConfigs": [_default(("--model-id", _MODEL, "--port", str(_PORT)), middle)],
            **health,
        },
        "vllm": {
            "image": "vllm/vllm-openai",
            "version": "v0.7.3",
            "command": ["python3", "-m", "vllm.entrypoints.openai.api_server"],
            "recommendedConfigs": [
                _default(("--model", _MODEL, *served, *_LISTEN), middle, "2Gi"),
                _config(SPECULATIVE_CONFIG, guessing, middle, _amounts(8, "16Gi"), "2Gi"),
            ],
            **health,
        },
    }


def shipped_runtime(name: str) -> JSONObject | None:
    """The BackendRuntime of a name as the chart installs it; `None` where it installs none of the name."""
    spec = _specs().get(name)
    if spec is None:
        return None
    return {"apiVersion": f"{BACKEND_RUNTIME.group}/v1alpha1", "kind": BACKEND_RUNTIME.kind, "metadata": {"name": name}, "spec": spec}
