"""The source of a flag's final value: the operator's arguments stay as they are, and predictions name the argument that wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.llmkube.engines.services import CONTAINER, NOT_STORED, launched, model, service
from tests.llmkube.engines.test_recorded_launch import ROUTER_PROXY, predicted
from tests.llmkube.model.recorded import records
from weighbridge.policies.families.llmkube.predictions.engines import Launch
from weighbridge.policies.families.llmkube.predictions.engines.command_line import Started, started
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.object_meta import stored_numbers

GPUS: JSONObject = {"count": 2}


def decided(found: Launch, flag: str) -> tuple[object, str, str]:
    """The value of a flag, its source, and the reason."""
    return next((value.value, value.source, value.reason) for value in found.values if value.field == f"{CONTAINER}.args[{flag}]")


def read(found: Launch, runtime: str) -> Started | None:
    """The command line that the engine of a launch reads."""
    return started(runtime, found.command, found.args, found.origins, found.noted)


@pytest.mark.parametrize(
    ("runtime", "spec", "flag", "expected"),
    [
        (
            "llamacpp",
            {"contextSize": 8192, "extraArgs": ["-v", "-c", "4096"]},
            "--ctx-size",
            (
                "4096",
                "InferenceService svc spec.extraArgs[1]",
                "wins over 8192 of InferenceService svc spec.contextSize: llama.cpp takes the last one",
            ),
        ),
        (
            "llamacpp",
            {"noKvOffload": True, "extraArgs": ["--kv-offload"]},
            "--no-kv-offload",
            (
                True,
                "InferenceService svc spec.extraArgs[0]",
                "wins over True of InferenceService svc spec.noKvOffload: llama.cpp takes the last one",
            ),
        ),
        (
            "vllm",
            {"extraArgs": ["--port=9000"]},
            "--port",
            ("9000", "InferenceService svc spec.extraArgs[0]", "wins over 8000 of LLMKube v0.9.19: vLLM takes the last one"),
        ),
        (
            "tgi",
            {"extraArgs": ["-p", "9000"]},
            "--port",
            ("9000", "InferenceService svc spec.extraArgs[0]", "given twice, also as 80 of LLMKube v0.9.19: TGI doesn't start"),
        ),
        (
            "llamacpp",
            {"command": ["sh", "-c", "llama-server"], "contextSize": 8192, "extraArgs": ["-c", "4096"]},
            "--ctx-size",
            ("8192", "InferenceService svc spec.contextSize", "as written"),
        ),
        (
            "llamacpp",
            {"contextSize": 8192, "extraArgs": ["--threads", "8"]},
            "--ctx-size",
            ("8192", "InferenceService svc spec.contextSize", "as written"),
        ),
    ],
)
def test_the_argument_that_wins_is_named(runtime: str, spec: JSONObject, flag: str, expected: tuple[object, str, str]) -> None:
    assert decided(launched(service(runtime, **spec), stored=NOT_STORED), flag) == expected


def test_the_arguments_stay_the_operators() -> None:
    found = launched(service(contextSize=8192, extraArgs=["-c", "4096"]))
    assert found.args[found.args.index("--ctx-size") + 1] == "8192"
    assert found.args[found.args.index("-c") + 1] == "4096"


def test_every_argument_has_an_origin() -> None:
    found = launched(service("vllm", extraArgs=["-tp", "1"], vllmConfig={"maxModelLen": 4096}), model(GPUS))
    assert len(found.origins) == len(found.args)
    line = read(found, "vllm")
    assert line is not None
    last = line.line.final("tensor parallel")
    assert last is not None
    assert (line.item(last.at), last.value) == (0, "1")


@pytest.mark.parametrize("runtime", ["generic", "personaplex"])
def test_nothing_is_read_of_other_servers(runtime: str) -> None:
    assert read(launched(service(runtime, args=["--port", "9000"])), runtime) is None


def test_the_words_of_the_authors_command_are_read_before_the_arguments() -> None:
    found = launched(service(command=["/app/llama-server", "--parallel", "4"], parallelSlots=8))
    line = read(found, "llamacpp")
    assert line is not None
    assert line.line.number("slots") == 8
    assert [lost.value for lost, _ in line.line.overridden()] == ["4"]


def test_engines_know_what_the_real_operator_writes(shared: Path) -> None:
    """Except for speculative decoding of vLLM, whose flags were removed."""
    unknown: set[str] = set()
    lines = 0
    for record in records(shared):
        names = {
            found["name"]
            for found in record.outcome.get("deployments", [])
            if found["pod"]["spec"]["containers"][0]["name"] != ROUTER_PROXY
        }
        for stored in map(stored_numbers, record.of_kind("InferenceService")):
            if stored["metadata"]["name"] in names:
                line = read(predicted(record, stored), stored["spec"].get("runtime", ""))
                lines += line is not None
                unknown |= {problem.word for problem in line.line.problems if line.item(problem.at) < 0} if line is not None else set()
    assert lines > 600
    assert unknown == {"--speculative-model", "--num-speculative-tokens"}
