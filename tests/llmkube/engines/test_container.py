"""The parts that are the same for every engine: port, probes, command, environment, and the source of each argument."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.llmkube.engines.services import CONTAINER, SEED, after, args, launched, model, service
from tests.llmkube.engines.test_every_field import BUNDLED, RUNTIMES, leaves, spec_schema, with_field
from tests.llmkube.engines.test_recorded_launch import predicted
from tests.llmkube.model.recorded import records
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines import Launch
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import Storage
from weighbridge.policies.ground.objects import JSONObject


def words(found: Launch) -> list[str]:
    """The arguments, reconstructed from their recorded sources."""
    told: list[str] = []
    for value in found.values:
        place = value.field.removeprefix(f"{CONTAINER}.")
        if place in {"args", "args[extraArgs]"}:
            told.extend(value.value)
        elif place.startswith("args[-"):
            after_it = [] if value.value is True else [value.value] if isinstance(value.value, str) else value.value
            told.extend([place[len("args[") : -1], *after_it])
        elif place.startswith("args["):
            told.append(value.value)
    return told


def test_every_word_of_every_recorded_container_is_accounted_for(shared: Path) -> None:
    seen = 0
    for record in records(shared):
        for one in record.of_kind("InferenceService"):
            if record.deployment(one) is not None:
                found = predicted(record, one)
                seen += 1
                assert words(found) == list(found.args)
                variables = [value.field for value in found.values if value.field.startswith(f"{CONTAINER}.env[")]
                assert variables == [f"{CONTAINER}.env[{entry['name']}]" for entry in found.env]
                assert all(value.object == f"Deployment/{one['metadata']['name']}" for value in found.values)
                assert all(value.source and value.reason for value in found.values)
    assert seen > 600


@pytest.mark.parametrize(
    ("spec", "port", "source"),
    [
        ({}, 8000, "LLMKube v0.9.19"),
        ({"endpoint": {"port": 9000}}, 9000, "InferenceService svc spec.endpoint.port"),
        ({"endpoint": {"port": 9000}, "containerPort": 7000}, 7000, "InferenceService svc spec.containerPort"),
        ({"endpoint": {"path": "/x"}}, 8000, "LLMKube v0.9.19"),
        ({"endpoint": {"port": 0}}, 8000, "LLMKube v0.9.19"),
    ],
)
def test_the_containers_port_is_asked_for_told_and_probed(spec: dict[str, Any], port: int, source: str) -> None:
    found = launched(service("vllm", **spec))
    assert found.port == port
    assert after(list(found.args), "--port") == str(port)
    assert found.liveness["httpGet"] == {"path": "/health", "port": port}
    told = {value.field: value.source for value in found.values}
    assert told[f"{CONTAINER}.ports[0].containerPort"] == told[f"{CONTAINER}.args[--port]"] == source


def test_personaplex_is_never_told_a_port() -> None:
    found = launched(service("personaplex", containerPort=9000))
    assert found.port == 9000
    assert "9000" not in found.args
    assert found.readiness["tcpSocket"] == {"port": 9000}


def test_an_address_comes_before_the_port_in_the_seeds_version_and_cannot_be_chosen() -> None:
    for runtime, host in (("llamacpp", "--host"), ("vllm", "--host"), ("sglang", "--host"), ("tgi", "--hostname")):
        found = args(service(runtime, bindAddress="127.0.0.1", extraArgs=[f"{host}=0.0.0.0"]), operator=SEED)
        assert found.index(host) < found.index("--port")
        assert after(found, host) == "::"


@pytest.mark.parametrize("runtime", ["llamacpp", "llamacpp-router", "vllm", "sglang", "tgi"])
def test_an_address_of_the_services_own_arguments_replaces_the_operators(runtime: str) -> None:
    host = "--hostname" if runtime == "tgi" else "--host"
    found = args(service(runtime, bindAddress="127.0.0.1", extraArgs=[host, "0.0.0.0"]))
    assert found.count(host) == 1
    assert after(found, host) == "0.0.0.0"


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_startup_may_take_half_an_hour(runtime: str) -> None:
    found = launched(service(runtime))
    assert found.startup["periodSeconds"] * found.startup["failureThreshold"] == 1800
    assert found.liveness["periodSeconds"] == 15
    assert {probe["timeoutSeconds"] for probe in (found.startup, found.liveness, found.readiness)} == {5}


def test_sglang_serves_only_once_it_generates() -> None:
    found = launched(service("sglang"))
    paths = [probe["httpGet"]["path"] for probe in (found.startup, found.liveness, found.readiness)]
    assert paths == ["/health_generate", "/health", "/health_generate"]


def test_an_own_probe_replaces_the_engines_as_a_whole() -> None:
    own = {"httpGet": {"path": "/alive", "port": 9}, "periodSeconds": 7}
    found = launched(service(probeOverrides={"liveness": own}))
    assert found.liveness == {**own, "timeoutSeconds": 1, "successThreshold": 1, "failureThreshold": 3}
    assert found.readiness == launched(service()).readiness
    value = next(value for value in found.values if value.field == f"{CONTAINER}.livenessProbe")
    assert value.source == "InferenceService svc spec.probeOverrides.liveness"


@pytest.mark.parametrize(
    ("runtime", "operator", "command"),
    [
        ("vllm", KnownOperator(), ("vllm", "serve")),
        ("vllm", KnownOperator(version=(0, 9, 8)), ("vllm", "serve")),
        ("vllm", SEED, ()),
        ("sglang", SEED, ("python3", "-m", "sglang.launch_server")),
        ("llamacpp", KnownOperator(), ()),
        ("generic", KnownOperator(), ()),
    ],
)
def test_engines_have_a_command_and_an_own_one_replaces_it(runtime: str, operator: KnownOperator, command: tuple[str, ...]) -> None:
    assert launched(service(runtime), operator=operator).command == command
    own = launched(service(runtime, command=["/bin/run"]), operator=operator)
    assert own.command == ("/bin/run",)
    assert own.args == launched(service(runtime), operator=operator).args


@pytest.mark.parametrize(
    ("runtime", "block", "variable"),
    [
        ("vllm", "vllmConfig", "HF_TOKEN"),
        ("sglang", "sglangConfig", "HF_TOKEN"),
        ("personaplex", "personaPlexConfig", "HF_TOKEN"),
        ("tgi", "tgiConfig", "HUGGING_FACE_HUB_TOKEN"),
    ],
)
def test_a_token_is_handed_over_before_the_users_variables(runtime: str, block: str, variable: str) -> None:
    reference = {"name": "hf", "key": "token", "optional": True}
    found = launched(service(runtime, **{block: {"hfTokenSecretRef": reference}}, env=[{"name": variable, "value": "own"}]))
    names = [entry["name"] for entry in found.env]
    assert names == [variable, *(["NO_TORCH_COMPILE"] if runtime == "personaplex" else []), variable]
    assert found.env[0]["valueFrom"] == {"secretKeyRef": reference}


def test_a_token_of_another_engines_block_is_not_handed_over() -> None:
    assert launched(service("vllm", sglangConfig={"hfTokenSecretRef": {"name": "hf", "key": "k"}})).env == ()


def test_a_container_of_the_users_own_gets_its_arguments_alone() -> None:
    found = launched(service("generic", args=["--a", "1"], extraArgs=["--b"], parallelSlots=4))
    assert found.args == ("--a", "1")
    assert args(service("vllm", args=["--a"])) == args(service("vllm"))


FIELDS = [path for path, _ in leaves(spec_schema(BUNDLED / "v0.9.19" / "inference.llmkube.dev_inferenceservices.yaml"))]
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 2**70) | st.floats(allow_nan=True) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | st.sampled_from(["name", "path"]), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150)
@given(
    runtime=st.sampled_from(RUNTIMES),
    changes=st.lists(st.tuples(st.sampled_from(FIELDS), ANYTHING), max_size=6),
    gpu=st.dictionaries(st.sampled_from(["count", "layers", "sharding", "vendor", "resourceClaims"]), ANYTHING, max_size=3),
    version=st.sampled_from([(0, 9, 5), (0, 9, 12), (0, 9, 19)]),
)
def test_a_launch_is_told_of_any_service_whatever_it_holds(
    runtime: str, changes: list[tuple[str, Any]], gpu: JSONObject, version: tuple[int, int, int]
) -> None:
    of = service(runtime)
    for path, value in changes:
        of = {**of, "spec": with_field({key: held for key, held in of["spec"].items() if key != path.split(".")[0]}, path, value)}
    found = launched(of, model(gpu), KnownOperator(version=version), Storage(model_path="/m", draft_path="/d", mmproj_path="/p"))
    assert all(isinstance(arg, str) for arg in found.args)
    assert words(found) == list(found.args)
