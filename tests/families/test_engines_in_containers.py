"""The engine that a container starts and its settings, from command and arguments, a shell's script and variables; and its address and
port.
"""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from weighbridge.policies.families.serving_engines.containers import started_in, words_of
from weighbridge.policies.families.serving_engines.images import build_of, unusable_by
from weighbridge.policies.families.serving_engines.parallelism import gpus_used
from weighbridge.policies.families.serving_engines.ports import asked_ports, local_address, port_of
from weighbridge.policies.families.serving_engines.replaced_arguments import lost
from weighbridge.policies.families.serving_engines.shell import commands, script_of

_VLLM = "image: docker.io/vllm/vllm-openai:v0.25.1"
_OWN = "image: registry.example.com/own:1"
_SGLANG = "image: docker.io/lmsysorg/sglang:v0.5.5, command: [python3, -m, sglang.launch_server]"
_BASH = f"{_OWN}, command: [/bin/bash, -lc]"


def container(text: str) -> Any:
    return yaml.safe_load("{" + text + "}")


@pytest.mark.parametrize(
    ("written", "engine", "words"),
    [
        (f"{_VLLM}, args: [/m, --port, '8080']", "vLLM", ["/m", "--port", "8080"]),
        (f"{_OWN}, args: [/m]", None, []),
        (f"{_OWN}, command: [vllm, serve, /m], args: [--seed, '1']", "vLLM", ["/m", "--seed", "1"]),
        (f"{_OWN}, command: [/usr/bin/python3, -m, vllm.entrypoints.openai.api_server]", "vLLM", []),
        (f"{_OWN}, command: [/app/llama-server], args: [-m, /m]", "llama.cpp", ["-m", "/m"]),
        (f"{_OWN}, command: [tritonserver, --model-repository=/m]", "Triton", ["--model-repository=/m"]),
        (f"{_VLLM}, command: [sleep, '1']", None, []),
        (f"{_OWN}, command: [vllm, serve, /m], args: [--omni, --usp, '2']", None, []),
        (f"{_BASH}, args: ['vllm serve /m --omni --usp 2']", None, []),
        (f"{_VLLM}, args: [/m, --omni]", "vLLM", ["/m", "--omni"]),
        ("image: docker.io/lmsysorg/sglang:v0.5.5, args: [python3, -m, sglang.launch_server, --tp, '2']", "SGLang", ["--tp", "2"]),
        ("image: ghcr.io/huggingface/text-generation-inference:3.3.7, args: [--model-id, /m]", "TGI", ["--model-id", "/m"]),
        (f"{_BASH}, args: ['exec vllm serve /m --port 8080']", "vLLM", ["/m", "--port", "8080"]),
        (f'{_OWN}, command: [sh, -c, "vllm serve /m \\\\\\n  --port 8080"]', "vLLM", ["/m", "--port", "8080"]),
        (f"{_BASH}, args: ['cd /w && HF_HOME=/c vllm serve \"/m x\" | tee log']", "vLLM", ["/m x"]),
        (f"{_BASH}, args: ['export P=9000; vllm serve /m --port $P --seed ${{S:-7}}']", "vLLM", ["/m", "--port", "9000", "--seed", "7"]),
        (f"{_BASH}, args: ['vllm serve /m --port ${{P}}'], env: [{{name: P, value: '81'}}]", "vLLM", ["/m", "--port", "81"]),
        (f"{_BASH}, args: ['vllm serve a --port 1 & vllm serve b --port 2']", None, []),
        (f"{_BASH}, args: ['echo \"unclosed']", None, []),
        (f"{_OWN}, command: [bash, start.sh]", None, []),
        (
            (
                f"{_VLLM}, args: [$(M), $$(M), $(N), $(V)], "
                "env: [{name: D, value: /d}, {name: M, value: $(D)/m}, {name: V, valueFrom: {}}]"
            ),
            "vLLM",
            ["/d/m", "$(M)", "$(N)", "$(V)"],
        ),
    ],
)
def test_the_engine_of_a_container_and_its_words_are_found(written: str, engine: str | None, words: list[str]) -> None:
    found = started_in(container(written))
    assert (None if found is None else found.engine) == engine
    assert found is None or list(found.words) == words


def test_the_words_of_any_command_line_are_read() -> None:
    assert words_of(container("command: [serve], args: [--tp, $(N)], env: [{name: N, value: '4'}]")) == ["serve", "--tp", "4"]
    assert words_of(container("command: [bash, -c, 'a --x; b --y']")) == ["a", "--x", "b", "--y"]


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (["bash", "-c", "x"], 2),
        (["/bin/sh", "-e", "-xc", "x"], 3),
        (["bash", "--login", "-c", "x"], 3),
        (["bash", "x"], -1),
        (["bash", "-c"], -1),
        (["python3", "-c", "x"], -1),
        ([], -1),
    ],
)
def test_the_script_of_a_shell_is_found(words: list[str], place: int) -> None:
    assert script_of(words) == place


def test_what_a_script_only_learns_in_the_container_stays_as_it_is() -> None:
    assert list(commands("A=1; B=$(nproc); serve $A $B $C", {})) == [["serve", "1", "$(nproc)", "$C"]]
    found = started_in(container(f"{_BASH}, args: ['vllm serve /m $EXTRA']"))
    assert found is not None
    assert found.is_open
    assert port_of(found) is None


@pytest.mark.parametrize(
    ("written", "port"),
    [
        (f"{_VLLM}, args: [/m]", 8000),
        (f"{_VLLM}, args: [/m, --port=81]", 81),
        (f"{_VLLM}, args: [/m, --port, '81', --port, '82']", 82),
        (f"{_VLLM}, args: [/m, --port, $(P)]", None),
        (f"{_VLLM}, args: [/m, --port, '0']", None),
        (f"{_VLLM}, args: [/m, --port, '65536']", None),
        (f"{_VLLM}, args: [/m, --config, /c.yaml]", None),
        (f"{_VLLM}, args: [/m, --headless]", None),
        (_SGLANG, 30000),
        ("image: ghcr.io/ggml-org/llama.cpp:server", 8080),
        ("image: ghcr.io/ggml-org/llama.cpp:server, env: [{name: LLAMA_ARG_PORT, value: '81'}]", 81),
        (f"{_OWN}, command: [llama-server]", None),
        ("image: ghcr.io/huggingface/text-generation-inference:3.3.7", 80),
        ("image: ghcr.io/huggingface/text-generation-inference:3.3.7, env: [{name: PORT, value: '81'}]", 81),
        ("image: ghcr.io/huggingface/text-generation-inference:3.3.7, args: [-p, '1', -p, '2']", None),
        (f"{_OWN}, command: [text-generation-launcher]", None),
        (f"{_OWN}, command: [tritonserver]", 8000),
        (f"{_OWN}, command: [tritonserver, --http-port=81]", 81),
    ],
)
def test_an_engine_listens_by_its_arguments_its_variables_or_its_default(written: str, port: int | None) -> None:
    found = started_in(container(written))
    assert found is not None
    listening = port_of(found)
    assert (listening.number if listening is not None else None) == port


@pytest.mark.parametrize(
    ("written", "address"),
    [
        (_SGLANG, "127.0.0.1"),
        (f"{_SGLANG}, args: [--host, 0.0.0.0]", ""),
        (f"{_SGLANG}, args: [--config, /c]", ""),
        (f"{_VLLM}, args: [/m]", ""),
        (f"{_VLLM}, args: [/m, --host, localhost]", "localhost"),
        (f"{_VLLM}, args: [/m, --host, '::1']", "::1"),
        (f"{_VLLM}, args: [/m, --host, '::']", ""),
        (f"{_VLLM}, args: [/m, --host, pod.example]", ""),
        ("image: ghcr.io/ggml-org/llama.cpp:server, args: [--host, '127.0.0.1,0.0.0.0']", ""),
        ("image: ghcr.io/ggml-org/llama.cpp:server, args: [--host, /tmp/llama.sock]", "/tmp/llama.sock"),
    ],
)
def test_an_address_of_the_pod_alone_is_known(written: str, address: str) -> None:
    found = started_in(container(written))
    assert found is not None
    assert local_address(found)[0] == address


def test_probes_ask_at_numbers_and_at_the_containers_own_names() -> None:
    probes = (
        "ports: [{name: http, containerPort: 81}], startupProbe: {tcpSocket: {port: http}}, livenessProbe: {httpGet: {port: 82}}, "
        "readinessProbe: {grpc: {port: 83}}"
    )
    assert list(asked_ports(container(probes))) == [("startup", 81), ("liveness", 82), ("readiness", 83)]
    assert list(asked_ports(container("livenessProbe: {httpGet: {port: metrics}}, readinessProbe: {exec: {}}"))) == []


@pytest.mark.parametrize(
    ("written", "gpus"),
    [
        (f"{_VLLM}, args: [/m]", 1),
        (f"{_VLLM}, args: [/m, -tp, '2', -pp, '2', --data-parallel-size, '2']", 8),
        (f"{_VLLM}, args: [/m, -tp, '2', --prefill-context-parallel-size, '2']", 4),
        (f"{_VLLM}, args: [/m, -tp, $(N)]", None),
        (f"{_VLLM}, args: [/m, --nnodes, '2']", None),
        (f"{_VLLM}, args: [/m, --config, /c]", None),
        (_SGLANG, 1),
        (f"{_SGLANG}, args: [--tp, '4', --dp, '4', --enable-dp-attention]", 4),
        ("image: ghcr.io/ggml-org/llama.cpp:server", None),
        ("image: ghcr.io/huggingface/text-generation-inference:3.3.7", None),
        ("image: ghcr.io/huggingface/text-generation-inference:3.3.7, args: [--num-shard, '2']", 2),
        (f"{_OWN}, command: [tritonserver]", None),
    ],
)
def test_an_engine_computes_on_as_many_gpus_as_it_is_given_or_takes(written: str, gpus: int | None) -> None:
    found = started_in(container(written))
    assert found is not None
    assert gpus_used(found) == gpus


@pytest.mark.parametrize(
    ("image", "build"),
    [
        *((f"ghcr.io/ggml-org/llama.cpp:{kind}{tail}", "") for kind in ("server", "full", "light") for tail in ("", "-b6000")),
        ("ghcr.io/ggml-org/llama.cpp:server-cuda", "CUDA"),
        ("mirror.example.com/ghcr/ggerganov/llama.cpp:full-cuda13-b6000", "CUDA"),
        ("ghcr.io/ggml-org/llama.cpp:server-rocm-b6000", "ROCm"),
        ("ghcr.io/ggml-org/llama.cpp:light-musa", "MUSA"),
        ("ghcr.io/ggml-org/llama.cpp:server-intel-b1@sha256:00", "Intel's SYCL"),
        ("ghcr.io/ggml-org/llama.cpp:server-openvino", "OpenVINO"),
        ("ghcr.io/ggml-org/llama.cpp:server-vulkan", "Vulkan"),
        ("ghcr.io/ggml-org/llama.cpp:server-own", None),
        ("ghcr.io/ggml-org/llama.cpp@sha256:00", None),
        ("ghcr.io/ggml-org/llama.cpp", None),
        ("vllm/vllm-openai:v0.25.1", "CUDA"),
        ("vllm/vllm-openai:v0.20.1-cu129", "CUDA"),
        ("vllm/vllm-openai:v0.25.1-rocm", "ROCm"),
        ("vllm/vllm-openai-rocm:v0.25.1", "ROCm"),
        ("docker.io/rocm/vllm:rocm7.0_vllm_0.11.0", "ROCm"),
        ("vllm/vllm-openai-cpu:v0.25.1", ""),
        ("lmsysorg/sglang:v0.5.15.post1-cu129", "CUDA"),
        ("lmsysorg/sglang:v0.5.15-rocm720-mi30x", "ROCm"),
        ("lmsysorg/sglang:v0.5.15-xpu", "Intel's SYCL"),
        ("lmsysorg/sglang:v0.5.15-xeon", ""),
        ("lmsysorg/sglang:v0.5.15-npu", None),
        ("ghcr.io/huggingface/text-generation-inference:3.3.7-rocm", "ROCm"),
        ("ghcr.io/huggingface/text-generation-inference:3.3.7-intel-cpu", ""),
        ("ghcr.io/huggingface/text-generation-inference:3.3.7-gaudi", None),
        ("nvcr.io/nvidia/tritonserver:25.03-py3", "CUDA"),
        ("registry.example.com/own:rocm", None),
    ],
)
def test_an_image_is_built_for_what_its_tag_says(image: str, build: str | None) -> None:
    found = build_of(image)
    assert (found[0] if found is not None else None) == build


@pytest.mark.parametrize(
    ("tag", "vendor", "why"),
    [
        ("server-rocm", "NVIDIA", "is built for ROCm"),
        ("server-cuda", "AMD", "is built for CUDA"),
        ("server-musa", "Intel", "is built for MUSA"),
        ("server", "NVIDIA", "has no GPU backend"),
        ("server-vulkan", "AMD", ""),
        ("server-vulkan", "NVIDIA", ""),
        ("server-rocm", "AMD", ""),
        ("server-rocm", "", ""),
    ],
)
def test_an_image_of_another_vendor_is_of_no_use(tag: str, vendor: str, why: str) -> None:
    assert unusable_by(f"ghcr.io/ggml-org/llama.cpp:{tag}", vendor) == why


_WHOLE = f"{_VLLM}, args: [$(MODEL_PATH), --port, '8080', --served-model-name, a, --max-model-len, '99']"


@pytest.mark.parametrize(
    ("before", "after", "missing"),
    [
        (_WHOLE, f"{_VLLM}, args: [--seed, '1']", ["$(MODEL_PATH)", "--port 8080", "--served-model-name a", "--max-model-len 99"]),
        (_WHOLE, f"{_VLLM}, args: [--max-model-len, '9', --served-model-name=b, --port=8080, --model, /m]", []),
        (f"{_VLLM}, args: [--model, /m, --port, '8000']", f"{_VLLM}, args: [--seed, '1']", ["--model /m"]),
        (f"{_VLLM}, args: [/m, --host, 0.0.0.0]", f"{_VLLM}, args: [/m]", []),
        (f"{_SGLANG}, args: [--model-path, /m, --host, 0.0.0.0]", f"{_SGLANG}, args: [--model-path, /m]", ["--host 0.0.0.0"]),
        (_WHOLE, f"{_VLLM}, args: [--config, /c]", []),
        (_WHOLE, f"{_SGLANG}, args: [--model-path, /m]", []),
        (f"{_BASH}, args: ['vllm serve $MODEL_PATH --port 81']", f"{_BASH}, args: ['vllm serve --seed 1']", ["$MODEL_PATH", "--port 81"]),
        (f"{_OWN}, args: [$(MODEL_PATH), --port, '81', --x]", f"{_OWN}, args: [--y]", ["$(MODEL_PATH)", "--port"]),
        (f"{_OWN}, args: [--model, m]", f"{_OWN}, args: [--model=m, --y]", []),
    ],
)
def test_what_a_list_lacks_that_replaces_another_is_named(before: str, after: str, missing: list[str]) -> None:
    assert [written for _, written in lost(container(before), container(after))] == missing
