"""Objects of a service that no pod needs are built on demand; the placement reads the Deployment and the claims."""

from __future__ import annotations

import pytest

from tests.aim.test_workloads import predicted, template
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.pods.workloads import claims_of, pods_of


@pytest.mark.parametrize("group", [NEW, OLD])
def test_placement_reads_no_inference_service(group: str) -> None:
    found = predicted(group, {"routing": {"enabled": True, "gatewayRef": {"name": "g", "namespace": "n"}}}, template(group))
    assert found.placed is not None
    placed = found.placed()
    unbuilt = {"InferenceService", "HTTPRoute"}
    assert {obj["kind"] for obj in placed} & unbuilt == set()
    assert {obj["kind"] for obj in found.objects} >= unbuilt
    assert [obj for obj in found.objects if obj["kind"] not in unbuilt] == placed


@pytest.mark.parametrize("group", [NEW, OLD])
def test_what_is_built_on_demand_has_neither_pods_nor_claims(group: str) -> None:
    found = predicted(group, {}, template(group))
    [service] = [obj for obj in found.objects if obj["kind"] == "InferenceService"]
    assert not pods_of(service)
    assert not claims_of(service)


def test_a_service_that_makes_nothing_has_an_empty_list() -> None:
    found = predicted(NEW, {"template": {"name": "gone"}})
    assert found.objects == []
