"""Judges upstream's own manifests through three doors, on a cluster with GPUs, one without, and one whose GPUs are scaled to zero.

This module lists the errors and warnings by object, and says why the object's author would agree.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import SHARED
from tests.doors.test_command_line import run
from tests.doors.test_http import test_webhook_answers_what_the_engine_says as webhook_answers_alike
from tests.ome.corpus import CLUSTERS, SAMPLES, case_of, documents, snapshot
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import name_of
from weighbridge.policies.verdict.engine import decide

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="upstream's manifests aren't next to the checkout")

#: Refused on each cluster: the file names its model and engine in fields that OME doesn't have, so OME would serve nothing.
REFUSED = {"glm-4-5v-test": ["OME-153"]}
#: The warnings on each cluster, by rule: how many objects have one, and why.
WARNED = {
    "K8S-001": 1,  # The unknown fields of the same file.
    "OME-001": 27,  # Models that these samples don't contain.
    "OME-002": 17,  # Runtimes that these samples don't contain.
    "OME-004": 3,  # No runtime of these samples has autoSelect for the model.
    "OME-018": 2,  # Runtimes selected for every size, in preference to those made for one size.
    "OME-063": 1,  # Tolerations, volumes and an affinity that OME gives to no engine.
    "OME-173": 6,  # Models without a format: OME's webhook needs it to select a runtime, and its agent writes it only later.
    "OME-108": 1,  # A benchmark of a service that doesn't exist yet.
}
#: The services whose pods are known: an error if no node has a GPU, as the pods would wait for ever, and a warning if a pool of GPUs is
#: scaled to zero, with the message that its nodes may come.
UNPLACED = {"cpu": 7, "zero": 7, "gpu": 0}
_NO_GPU = "OME-161"
_NOT_YET = "may bring one"


def warned(cluster: str) -> Iterator[tuple[str, str, str]]:
    """Rule, object and message of each error and warning."""
    first = case_of(*documents()[0], cluster)
    facts, config = first.facts(), first.configuration()
    for path, obj in documents():
        decision = decide(case_of(path, obj, cluster).request(), facts, config)
        told = [finding for finding in decision.findings if finding.severity is not Severity.NOTE]
        wants_a_gpu = cluster == "cpu" and any(finding.rule == _NO_GPU for finding in told)
        assert decision.allowed is (name_of(obj) not in REFUSED and not wants_a_gpu), (name_of(obj), decision.message)
        yield from ((finding.rule, f"{obj['kind']} {name_of(obj)}", finding.message) for finding in told)


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_upstreams_manifests_are_taken_but_for_one_that_is_wrong(cluster: str) -> None:
    told = list(warned(cluster))
    assert len(documents()) > 300
    counts = Counter(rule for rule, _ in {(rule, name) for rule, name, _ in told})
    refused = {rule: 1 for rules in REFUSED.values() for rule in rules}
    unplaced = {_NO_GPU: UNPLACED[cluster]} if UNPLACED[cluster] else {}
    assert counts == WARNED | refused | unplaced
    assert all((_NOT_YET in message) is (cluster == "zero") for rule, _, message in told if rule == _NO_GPU)


def test_the_webhook_says_of_them_what_the_engine_says() -> None:
    for path, obj in documents():
        webhook_answers_alike(case_of(path, obj, "gpu"))


@pytest.mark.timeout(600)
def test_dry_run_says_of_them_what_the_engine_says(tmp_path: Path) -> None:
    known = tmp_path / "cluster.json"
    known.write_text(json.dumps(snapshot("gpu")))
    told = run("dry-run", str(SAMPLES), "--cluster", str(known), "--field-validation", "Warn", "-o", "jsonl").stdout
    records = [record for record in map(json.loads, told.splitlines()) if "allowed" in record]
    refused = Counter(finding["rule"] for record in records if not record["allowed"] for finding in record["findings"])
    assert len(records) >= len(documents())
    assert refused == {"OME-153": 1, "K8S-001": 4}
