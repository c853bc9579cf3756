"""A missing object that another manifest may still bring has the severity that the configuration's `references` gives, also if pods can't
be placed without it.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import container, node
from tests.placement.test_volumes import claim
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.facts.kinds import PLACEMENT_KINDS
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Decision, Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide

DEPLOYMENT = GroupVersionKind("apps", "v1", "Deployment")
CLAIMED: dict[str, Any] = {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]}


def workload(cpu: str = "1", **spec: Any) -> JSONObject:
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [container({"cpu": cpu})], **spec}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "w", "namespace": "default"},
        "spec": {"template": template},
    }


def decided(references: str, obj: JSONObject, *cluster: JSONObject, old: JSONObject | None = None) -> Decision:
    """The verdict on a cluster with one node of which all is known."""
    facts = from_objects([node(), *cluster], Definitions(), extent=Extent(frozenset(kind.known_as for kind in PLACEMENT_KINDS)))
    operation = Operation.CREATE if old is None else Operation.UPDATE
    request = Request("r", operation, DEPLOYMENT, obj, old_object=old, namespace="default", name="w")
    return decide(request, facts, parse({"references": references}))


def told(decision: Decision) -> list[tuple[str, str]]:
    return [(finding.rule, finding.message) for finding in decision.findings if finding.severity is not Severity.NOTE]


@pytest.mark.parametrize(
    "spec",
    [CLAIMED, {"priorityClassName": "x"}, {"runtimeClassName": "x"}, {"resourceClaims": [{"name": "r", "resourceClaimName": "x"}]}],
    ids=lambda spec: next(iter(spec)),
)
def test_an_object_that_is_not_there_follows_references(spec: dict[str, Any]) -> None:
    assert [decided(wanted, workload(**spec)).allowed for wanted in ("deny", "warn", "audit", "off")] == [False, True, True, True]
    assert [len(told(decided(wanted, workload(**spec)))) for wanted in ("deny", "warn", "audit", "off")] == [1, 1, 0, 0]


def test_what_no_manifest_brings_only_warns() -> None:
    deleted = claim("c", bound="v")
    deleted["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    assert decided("deny", workload(**CLAIMED), deleted).allowed
    assert told(decided("off", workload(**CLAIMED), deleted))
    assert told(decided("off", workload(cpu="1000")))


def test_past_a_claim_that_nobody_minds_the_rest_is_told() -> None:
    ((_, message),) = told(decided("off", workload(cpu="1000", **CLAIMED)))
    assert "Insufficient cpu" in message


def test_on_an_update_what_was_not_there_before_only_warns() -> None:
    before = workload(**CLAIMED)
    after = workload(cpu="2", **CLAIMED)
    decision = decided("deny", after, old=before)
    assert decision.allowed
    assert [finding.severity for finding in decision.findings] == [Severity.WARNING]
    assert not decided("deny", after, old=workload()).allowed
