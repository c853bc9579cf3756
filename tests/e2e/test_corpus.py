"""Upstream's own manifests of LLMKube, created with kubectl on the real server: the recorded outcome of each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import SHARED
from tests.e2e.cluster import Cluster
from tests.e2e.comparison import compare, said
from tests.e2e.process import TurningProcess
from tests.llmkube.corpus import SITUATIONS, Sample, expected, is_judged, samples
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.objects import namespace_of
from weighbridge.policies.verdict.engine import decide

pytestmark = [
    pytest.mark.control_plane,
    pytest.mark.skipif(not SHARED.is_dir(), reason="upstream's manifests aren't next to the checkout"),
]

JUDGED = [(sample, situation) for sample in samples() if is_judged(sample) for situation in SITUATIONS]


@pytest.fixture(scope="module")
def webhook(cluster: Cluster) -> Iterator[TurningProcess]:
    """The webhook, which gets the facts for each document, and the namespaces of the documents."""
    for namespace in {namespace_of(sample.object) for sample, _ in JUDGED}:
        cluster.namespace(namespace)
    with cluster.turning() as webhook:
        yield webhook


@pytest.mark.parametrize(("sample", "situation"), JUDGED, ids=lambda value: value.id if isinstance(value, Sample) else value)
def test_server_reaches_the_recorded_outcome(cluster: Cluster, webhook: TurningProcess, sample: Sample, situation: str) -> None:
    known = SITUATIONS[situation]
    webhook.turn(Path(known[0]) if known else None, beside=sample.beside)
    facts = sample.facts(situation)
    request = sample.request(facts)
    done = cluster.create(sample.object, dry_run=True)
    compare(done, decide(request, facts, DEFAULT), request.gvk)
    wanted = expected(sample, situation)
    assert (done.returncode == 0) is wanted["allowed"]
    warnings, _ = said(done.stderr)
    told = {warning.split()[0] for warning in warnings if not warning.startswith("weighbridge set ")}
    assert told == set(wanted.get("warnings", []))
    assert {warning.split()[2] for warning in warnings if warning.startswith("weighbridge set ")} == set(wanted.get("filled in", {}))
