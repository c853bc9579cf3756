"""The rules on recorded services: each refused service never ran, and for each service that never ran a finding says why."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.aim.records import FILES, records
from tests.aim.replay import facts_of
from tests.conftest import CountVectors
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide

#: Objects that the operators accept without a message, although their effect isn't what they say, by rule.
SILENT = {
    "AIM-006": "aim-engine falls back to another path without a message",
    "AIM-008": "KServe is left without an upper bound, which no status shows",
    "AIM-009": "KServe gets a metric without a target, and never scales",
    "AIM-010": "the pod is refused once KServe makes it, which was not part of the recording",
    "AIM-099": "the pod is refused once KServe makes it, which was not part of the recording",
    "AIM-011": "the service stays Starting for good: its InferenceService is refused",
    "AIM-042": "the template is ready, and no pod of it ever gets its GPU",
    "AIM-052": "the template is ready without any GPU",
    "AIM-060": "the constraint is passed over, and other images than wanted become models",
    "AIM-061": "no image ever matches",
}
#: A finding about every object of the old group, whatever its outcome.
SAID_OF_ALL = {"AIM-090"}
#: Services that never ran and have no finding, with the reason.
UNTOLD = {
    "cr001": "a service without a spec has nothing to speak of",
    "ke018": "the derived template only has to be made",
}
GOOD = ("Starting", "Running", "Ready", "Available")


@pytest.mark.parametrize("file", FILES)
def test_rules_agree_with_what_became_of_objects(file: str, shared: Path, count_vectors: CountVectors) -> None:
    refused_in_vain: set[tuple[str, str]] = set()
    untold: set[str] = set()
    counts: Counter[str] = Counter()
    for record in records(file):
        facts, stored = facts_of(record)
        for obj in stored:
            found = decide(request_of(obj), facts, DEFAULT).findings
            errors = {finding.rule for finding in found if finding.severity is Severity.ERROR}
            counts["objects"] += 1
            if status_of(record, obj) in GOOD:
                refused_in_vain |= {(record["id"], rule) for rule in errors if rule not in SILENT}
            elif obj["kind"] == "AIMService" and not [finding for finding in found if finding.rule not in SAID_OF_ALL]:
                untold.add(record["id"])
    assert refused_in_vain == set()
    assert untold == {name for name in UNTOLD if name.startswith("k") is (file == "aim-kaiwo")}
    count_vectors(f"{file} rules", counts["objects"], counts["objects"])


def request_of(obj: JSONObject) -> Request:
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    return Request("1", Operation.CREATE, gvk, obj, namespace=namespace_of(obj), name=name_of(obj))


def status_of(record: JSONObject, obj: JSONObject) -> str | None:
    """The last state of an object."""
    found = record["outcome"].get("/".join(filter(None, (obj["kind"], namespace_of(obj), name_of(obj)))), {})
    status: str | None = (found.get("status") or {}).get("status")
    return status
