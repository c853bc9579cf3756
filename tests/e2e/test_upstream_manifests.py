"""Upstream's own manifests, created on the real server with the webhook: with the facts of three clusters, and without facts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import SHARED
from tests.e2e.cluster import Cluster
from tests.e2e.comparison import answered_alike, created
from tests.e2e.process import TurningProcess
from tests.programs.sweep.samples import FOLDERS, SITUATIONS, samples
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import load_facts

pytestmark = [
    pytest.mark.control_plane,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not SHARED.is_dir(), reason="upstream's manifests aren't next to the checkout"),
]


@pytest.fixture(scope="module")
def webhook(cluster: Cluster) -> Iterator[TurningProcess]:
    """The webhook, which gets the facts for each manifest, and the namespaces of the manifests."""
    for namespace in {str(sample.object["metadata"].get("namespace", "default")) for family in FOLDERS for sample in samples(family)}:
        cluster.namespace(namespace)
    with cluster.turning() as webhook:
        yield webhook


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("family", FOLDERS)
def test_server_says_what_the_engine_says(cluster: Cluster, webhook: TurningProcess, family: str, situation: str) -> None:
    known, asked = SITUATIONS[situation], 0
    for sample in samples(family):
        # The server has the newest CRD of each kind.
        facts = load_facts(known, given=sample.beside)
        request = sample.request(facts)
        if facts.definitions.get(request.gvk) is None:
            continue
        webhook.turn(Path(known[0]) if known else None, beside=sample.beside)
        answered_alike(created(cluster, sample.object), decide(request, facts, DEFAULT))
        asked += 1
    assert asked > 15
