"""Upstream's own manifests of OME, created on the real server: the verdict and the words are the engine's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import SHARED
from tests.e2e.cluster import Cluster
from tests.e2e.comparison import answered_alike, created
from tests.e2e.process import TurningProcess
from tests.ome.corpus import case_of, documents, snapshot
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.verdict.engine import decide

pytestmark = [
    pytest.mark.control_plane,
    pytest.mark.skipif(not SHARED.is_dir(), reason="upstream's manifests aren't next to the checkout"),
]

_REFUSED = {"glm-4-5v-test"}


@pytest.fixture(scope="module")
def known(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Facts]:
    """The facts for the webhook: a cluster with GPUs, and the models and runtimes that upstream ships."""
    path: Path = tmp_path_factory.mktemp("ome") / "cluster.json"
    path.write_text(json.dumps(snapshot("gpu")))
    with cluster.turning() as webhook:
        assert isinstance(webhook, TurningProcess)
        webhook.turn(path)
        yield case_of(*documents()[0], "gpu").facts()


@pytest.mark.parametrize(("path", "obj"), documents(), ids=lambda value: name_of(value) if isinstance(value, dict) else value.stem)
def test_the_server_reaches_the_engines_verdict(cluster: Cluster, known: Facts, path: Path, obj: JSONObject) -> None:
    case = case_of(path, obj, "gpu", "Strict")
    reply = created(cluster, obj)
    answered_alike(reply, decide(case.request(), known, case.configuration()))
    assert (reply.code < 300) is (name_of(obj) not in _REFUSED)
