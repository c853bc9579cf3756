"""The cluster of the end-to-end tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from policies.families import families
from policies.objects import name_of
from tests.conftest import SHARED
from tests.e2e.cluster import Cluster
from tests.e2e.process import WebhookProcess
from tests.programs.control_plane.crds import install_crds
from tests.programs.control_plane.plane import ControlPlane
from webhook.inputs.bundled import bundled_crds
from webhook.yaml_text import yaml_text

#: Where the corpus has the CRDs of each API group, and what their kinds refer to besides.
_CORPUS = {
    "aim.eai.amd.com": "aim/crds-newest",
    "aim.silogen.ai": "aim/crds",
    "federation.llmkube.dev": "llmkube/crds",
    "foreman.llmkube.dev": "llmkube/crds",
    "inference.llmkube.dev": "llmkube/crds",
    "inference.networking.x-k8s.io": "gie/crds",
}
_BESIDES = "gie/crds/inference.networking.x-k8s.io_inferencepools.yaml"


def crd_files(folder: Path) -> list[Path]:
    """Upstream's own CRDs where they are, else ours, written into `folder`."""
    if SHARED.is_dir():
        corpus = SHARED / "corpus"
        kinds = [(_CORPUS[kind.gvk.group], kind) for family in families() for kind in family.kinds]
        return [*(corpus / part / f"{kind.gvk.group}_{kind.plural}.yaml" for part, kind in kinds), corpus / _BESIDES]
    paths = []
    for crd in bundled_crds():
        paths.append(folder / f"{name_of(crd)}.yaml")
        paths[-1].write_text(yaml_text(crd))
    return paths


@pytest.fixture(scope="package")
def cluster(control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """CRDs installed, webhook serving and registered, as long as the tests of this room last."""
    directory = tmp_path_factory.mktemp("webhook")
    crds = install_crds(control_plane, *crd_files(directory))
    cluster = Cluster(control_plane, directory, WebhookProcess(directory))
    cluster.register()
    try:
        with cluster.connections:
            yield cluster
    finally:
        cluster.unregister()
        cluster.webhook.stop()
        control_plane.kubectl("delete", "crd", *crds, check=True)
