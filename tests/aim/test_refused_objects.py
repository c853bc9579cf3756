"""Objects of the operators that the API server refuses: routes, claims, artifacts, and objects with names in labels."""

from __future__ import annotations

from typing import Any

import pytest

from tests.aim.test_services_by_branch import ROUTED, SERVED, kinds, model, predicted
from tests.aim.test_workloads import made, template
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject

GROUPS = (NEW, OLD)


def routed(**routing: Any) -> JSONObject:
    return {"routing": {**ROUTED["routing"], **routing}}


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(
    ("timeout", "is_refused"),
    [("90s", False), ("1500ms", True), ("1us", True), ("-5s", True), ("100000h", True), ("99999h", False), ("250ms", False), ("0", False)],
)
def test_a_route_takes_whole_units_of_five_digits(group: str, timeout: str, is_refused: bool) -> None:
    found = predicted(group, routed(requestTimeout=timeout), model(group), template(group))
    assert ("HTTPRoute" not in kinds(found)) is is_refused
    assert (SERVED[0] not in kinds(found)) is is_refused
    assert ("timeouts.request in body should match" in found.failure, found.weight is Severity.ERROR) == (is_refused, is_refused)


@pytest.mark.parametrize(
    ("group", "state", "condition"),
    [(NEW, "Starting", ("DependenciesReachable", "InfrastructureError")), (OLD, "Failed", ("Failure", "RuntimeFailed"))],
)
def test_a_service_says_that_it_could_not_be_applied(group: str, state: str, condition: tuple[str, str]) -> None:
    found = predicted(group, routed(requestTimeout="1.5s"), model(group), template(group))
    first = found.status["conditions"][0]
    assert (found.status["status"], (first["type"], first["reason"])) == (state, condition)


@pytest.mark.parametrize(("group", "is_refused"), [(NEW, False), (OLD, True)])
def test_only_kaiwo_reads_the_annotations_of_a_service_for_its_route(group: str, is_refused: bool) -> None:
    found = predicted(group, routed(annotations={"a b": "c"}), model(group), template(group))
    assert ("HTTPRoute" not in kinds(found)) is is_refused


@pytest.mark.parametrize(("group", "length", "is_refused"), [(NEW, 64, True), (NEW, 63, False), (OLD, 64, True), (OLD, 63, False)])
def test_a_template_s_name_is_a_label_of_what_is_made(group: str, length: int, is_refused: bool) -> None:
    found = predicted(group, {}, model(group), template(group, "t" * length))
    assert (SERVED[0] not in kinds(found)) is is_refused
    assert ("must be no more than 63 bytes" in found.failure) is is_refused


def test_a_template_s_name_is_a_label_of_the_route_and_the_service_where_a_cache_is_there() -> None:
    cached = made(OLD, "AIMTemplateCache", "c", {"templateRef": "t" * 64}, {"status": "Available"})
    weights = made(OLD, "AIMModelCache", "m", {"sourceUri": "hf://acme/llama", "size": "16Gi"}, {"status": "Available"})
    for spec in (ROUTED, {}):
        found = predicted(OLD, spec, model(OLD), template(OLD, "t" * 64), cached, weights)
        assert found.failure.startswith(f"Apply failed: failed to apply {'HTTPRoute' if spec else 'InferenceService'} ")


@pytest.mark.parametrize(("length", "is_refused"), [(63, False), (64, True)])
def test_aim_engine_writes_the_name_of_a_service_into_a_label_of_all_that_it_makes(length: int, is_refused: bool) -> None:
    found = predicted(NEW, {}, model(NEW), template(NEW), name="s" * length)
    assert (kinds(found) == []) is is_refused
    assert ('AIMTemplateCache.aim.eai.amd.com "fast-' in found.failure) is is_refused


@pytest.mark.parametrize(
    ("group", "spec"), [(NEW, {"storage": {"defaultStorageClassName": "Fast"}}), (OLD, {"defaultStorageClassName": "Fast"})]
)
def test_a_claim_has_a_class_that_there_can_be(group: str, spec: JSONObject) -> None:
    found = predicted(group, spec, model(group), template(group))
    assert 'storageClassName: Invalid value: "Fast"' in found.failure
    assert not {"PersistentVolumeClaim", SERVED[0]} & {*kinds(found)}
