"""The cluster of the end-to-end tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from policies.families import families
from tests.conftest import ROOT, SHARED
from tests.control_plane.crds import install_crds
from tests.control_plane.plane import ControlPlane
from tests.e2e.cluster import Cluster
from tests.e2e.process import WebhookProcess

#: Where the corpus has the CRDs of each family, and what its kinds refer to besides.
_CORPUS = {"llmkube": "llmkube/crds", "inference_extension": "gie/crds"}
_BESIDES = "gie/crds/inference.networking.x-k8s.io_inferencepools.yaml"


def crd_files() -> list[Path]:
    """Upstream's own CRDs where they are, else ours of the newest version."""
    if SHARED.is_dir():
        corpus = SHARED / "corpus"
        kinds = [(_CORPUS[family.name], kind) for family in families() for kind in family.kinds]
        return [*(corpus / folder / f"{kind.gvk.group}_{kind.plural}.yaml" for folder, kind in kinds), corpus / _BESIDES]
    newest = {family.name: max((ROOT / "policies" / "families" / family.name / "crds").iterdir()) for family in families()}
    return [path for folder in newest.values() for path in (sorted(folder.glob("*.yaml")) if folder.is_dir() else [folder])]


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
