"""Before the first call, an object of each installed kind is judged, so that everything is compiled for the first call of a kind."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from weighbridge.policies.apiserver.definitions import Definitions, read_crd
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.bundled import bundled_crds
from weighbridge.webhook.server.long_reviews.slowness import Slowness, Time
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings
from weighbridge.webhook.server.warm_up import warm_up

_GROUPS = ("inference.llmkube.dev", "llmaz.io")


@pytest.fixture(scope="module")
def definitions() -> Definitions:
    found = [crd for crd in bundled_crds() if crd["spec"]["group"] in _GROUPS]
    return Definitions(definition for crd in found for definition in read_crd(crd, trusted=True))


def warmed(definitions: Definitions, *objects: JSONObject, **options: Any) -> tuple[Service, list[Request]]:
    judged: list[Request] = []

    def judge(request: Request, *args: Any, **others: Any) -> Decision:
        judged.append(request)
        return decide(request, *args, **others)

    service = Service(ServerSettings(), Facts(definitions, ObjectStore(objects)), DEFAULT, decide=judge)
    for _ in warm_up(service, **options):
        pass
    return service, judged


def model(name: str) -> JSONObject:
    source = {"source": "https://models.example/llama.gguf"}
    return {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": "Model", "metadata": {"name": name, "namespace": "n"}, "spec": source}


def test_examples_are_judged_of_kinds_of_which_nothing_is_stored(definitions: Definitions) -> None:
    service, judged = warmed(definitions)
    kinds = {(request.gvk.group, request.gvk.kind) for request in judged}
    assert {("inference.llmkube.dev", "Model"), ("inference.llmkube.dev", "InferenceService"), ("llmaz.io", "OpenModel")} <= kinds
    assert {group for group, _ in kinds} == set(_GROUPS)
    assert service.warm == kinds
    assert len(judged) == 2 * len(kinds)


def test_a_stored_object_is_judged_rather_and_families_without_any_are_left_alone(definitions: Definitions) -> None:
    service, judged = warmed(definitions, model("stored"), model("another"))
    assert [name_of(request.object) for request in judged if request.gvk.kind == "Model"] == ["stored"] * 2
    assert {request.gvk.group for request in judged} == {"inference.llmkube.dev"}
    assert ("inference.llmkube.dev", "InferenceService") in service.warm


def test_without_installed_kinds_nothing_is_judged() -> None:
    assert warmed(Definitions())[1] == []


def test_it_ends_when_it_has_taken_too_long(definitions: Definitions) -> None:
    ticks = itertools.count(0.0, 2.0)
    service, judged = warmed(definitions, clock=lambda: next(ticks))
    assert 0 < len(service.warm) < 4
    assert len(judged) == 2 * len(service.warm)


def test_a_defect_keeps_no_server_from_starting(definitions: Definitions, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: Any, **__: Any) -> Decision:
        raise RuntimeError("a defect")

    service = Service(ServerSettings(), Facts(definitions), DEFAULT, decide=fail)
    assert len(list(warm_up(service))) > 5
    assert service.warm == set()
    assert "Model could not be warmed up" in caplog.text


def test_the_first_call_of_a_warm_kind_has_no_more_time_than_others(definitions: Definitions) -> None:
    service, judged = warmed(definitions, model("stored"))
    whole = Time(lambda: 0.0, 10.0)
    request = next(request for request in judged if request.gvk.kind == "Model")
    assert Slowness(service.warm).in_loop(request, whole).loop_until is not None
    assert Slowness().in_loop(request, whole) is whole
    assert service.decide(request, service.facts, DEFAULT, Phase.VALIDATE).allowed
