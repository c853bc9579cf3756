"""The findings on every recorded service agree with what the real operator did.

If the operator or its webhook refused a service, a rule that mirrors the check refuses it. If its Model, draft or claim was missing, there
is a warning. If it got its objects, none of these rules refuses it. Rules about things that upstream never checks are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import CountVectors
from tests.llmkube.operator_cluster import cluster, play
from tests.llmkube.replay import configuration, records
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request

RECORDS = {record["id"]: record for record in records()}
#: By the beginning of the operator's message on a failed service, the rules that say so in advance.
MIRRORS = {
    "Invalid gpuSharing": {"LLMKUBE-040", "LLMKUBE-041", "LLMKUBE-042", "LLMKUBE-043"},
    "Invalid parallelism": {"LLMKUBE-045"},
    "Failed to create Deployment": {"LLMKUBE-061", "LLMKUBE-068", "LLMKUBE-072"},
    "Failed to create Service": {"LLMKUBE-083"},
    "Model not found": {"LLMKUBE-047"},
    "Draft model": {"LLMKUBE-048"},
    "Failed to create model cache PVC": {"LLMKUBE-049"},
}
#: The messages of upstream's webhook on sharing and parallelism, and the rules for them.
BY_WEBHOOK = "invalid gpuSharing spec:"
WEBHOOK_MIRRORS = MIRRORS["Invalid gpuSharing"] | MIRRORS["Invalid parallelism"] | {"LLMKUBE-044"}
#: If every reconcile is aborted, no status is ever written.
BREAKING_OFF = {"LLMKUBE-062", "LLMKUBE-063", "LLMKUBE-073"}
#: Phases of a service that got its objects.
RUNNING = {"Creating", "Stopped", "Suspended"}
REFERENCES = {"LLMKUBE-047", "LLMKUBE-048", "LLMKUBE-049"}

pytestmark = pytest.mark.skipif(not RECORDS, reason="the records aren't next to the checkout")


def written(obj: JSONObject, index: int) -> JSONObject:
    """The object with the fields that the server writes when it stores it."""
    return {**obj, "metadata": {**obj["metadata"], "uid": str(index), "creationTimestamp": f"2026-01-01T00:00:{index:02}Z"}}


def services(record: dict[str, Any]) -> Iterator[tuple[JSONObject, JSONObject, list[Finding]]]:
    """Each service of a case with its recorded admission, and the rules' findings once all objects are there."""
    config = configuration(record)
    facts = cluster(record, config)
    stored = [answer.stored and written(answer.stored, index) for index, answer in enumerate(play(record).answers)]
    for held in filter(None, stored):
        facts.objects.put(held)
    for given, known, admission in zip(record["objects"], stored, record["outcome"]["admission"], strict=True):
        obj = known or given
        gvk = GroupVersionKind.from_object(obj)
        if gvk is None or gvk.kind != "InferenceService":
            continue
        request = Request("1", Operation.CREATE, gvk, obj, namespace=namespace_of(obj), name=name_of(obj))
        found = [
            finding for rule in FAMILY.rules_for(gvk.kind) for finding in rule.check(request, facts, config) if isinstance(finding, Finding)
        ]
        yield obj, admission, found


@pytest.mark.parametrize("case", [case for case in RECORDS if not RECORDS[case].get("steps") and not RECORDS[case].get("ops")])
def test_rules_agree_with_the_operator(case: str, count_vectors: CountVectors) -> None:
    record = RECORDS[case]
    compared = False
    for service, admission, found in services(record):
        told = {finding.rule for finding in found}
        errors = {finding.rule for finding in found if finding.severity is Severity.ERROR}
        if admission["code"] >= 300:
            if BY_WEBHOOK in admission["message"]:
                assert errors & WEBHOOK_MIRRORS
                compared = True
            continue
        status = record["outcome"]["status"].get(f"InferenceService/{namespace_of(service)}/{name_of(service)}") or {}
        message = next((entry["message"] for entry in status.get("conditions", []) if entry["reason"] == "Failed"), "")
        said = (
            next((rules for beginning, rules in MIRRORS.items() if message.startswith(beginning)), None)
            if status.get("phase") == "Failed"
            else None
        )
        compared = compared or said is not None or status.get("phase") in {None, "", *RUNNING}
        if said is not None:
            assert told & said, (message, told)
        elif status.get("phase") in RUNNING:
            wrong = (set().union(*MIRRORS.values()) - REFERENCES | BREAKING_OFF) & errors
            assert not wrong, [str(finding) for finding in found if finding.rule in wrong]
        elif not status.get("phase"):
            assert errors & BREAKING_OFF, told
    count_vectors("operators/llmkube rules", int(compared), 1)
