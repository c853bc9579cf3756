"""The cluster of the end-to-end tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT, SHARED
from tests.control_plane.crds import install_crds
from tests.control_plane.plane import ControlPlane
from tests.e2e.cluster import Cluster
from tests.e2e.process import WebhookProcess

_CORPUS = {
    "inference.llmkube.dev_models.yaml": "llmkube/crds",
    "inference.llmkube.dev_inferenceservices.yaml": "llmkube/crds",
    "inference.networking.x-k8s.io_inferencemodels.yaml": "gie/crds",
    "inference.networking.x-k8s.io_inferencepools.yaml": "gie/crds",
}


def crd_files() -> list[Path]:
    """Upstream's own CRDs where they are, else ours."""
    if SHARED.is_dir():
        return [SHARED / "corpus" / folder / name for name, folder in _CORPUS.items()]
    return sorted((ROOT / "policies" / "families").glob("*/crds/*.yaml"))


@pytest.fixture(scope="session")
def cluster(control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """CRDs installed, webhook serving and registered."""
    install_crds(control_plane, *crd_files())
    directory = tmp_path_factory.mktemp("webhook")
    cluster = Cluster(control_plane, directory, WebhookProcess(directory))
    cluster.register()
    try:
        yield cluster
    finally:
        cluster.unregister()
        cluster.webhook.stop()
