"""The cluster of the end-to-end tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import SHARED
from tests.e2e.cluster import Cluster
from tests.e2e.process import WebhookProcess
from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.prepared import plane_with_crds
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import name_of
from weighbridge.webhook.inputs.bundled import bundled_crds
from weighbridge.webhook.texts.yaml_text import yaml_text

#: The folders of the corpus with the CRDs of each API group; the last one that has a kind has its newest CRD.
_CORPUS = {
    "aim.eai.amd.com": "aim/crds-newest",
    "llmaz.io": "llmaz/crds",
    "inference.llmaz.io": "llmaz/crds",
    "aim.silogen.ai": "aim/crds",
    "federation.llmkube.dev": "llmkube/crds",
    "foreman.llmkube.dev": "llmkube/crds",
    "inference.llmkube.dev": "llmkube/crds",
    "inference.networking.k8s.io": "gie/crds-newest",
    "inference.networking.x-k8s.io": "gie/crds gie/crds-newest gie/crds-newest/last-shipped-v1.4.0 gie/crds-newest/last-shipped-v1.5.0",
    "ome.io": "ome/crds/config/crd/full",
}


def crd_files(folder: Path, *groups: str) -> list[Path]:
    """Upstream's own CRDs if they are there, else ours, written into `folder`; of all groups unless some are given.

    A server needs half a minute to take in all of them.
    """
    if SHARED.is_dir():
        kinds = [kind for family in families() for kind in family.kinds]
        return [_newest(kind.gvk.group, kind.plural) for kind in kinds if not groups or kind.gvk.group in groups]
    paths = []
    for crd in bundled_crds():
        if not groups or crd["spec"]["group"] in groups:
            paths.append(folder / f"{name_of(crd)}.yaml")
            paths[-1].write_text(yaml_text(crd))
    return paths


def _newest(group: str, plural: str) -> Path:
    paths = [SHARED / "corpus" / folder / f"{group}_{plural}.yaml" for folder in _CORPUS[group].split()]
    return [path for path in paths if path.exists()][-1]


@pytest.fixture(scope="package")
def cluster(control_plane_assets: Assets, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """CRDs installed, webhook serving and registered, as long as the tests of this room last.

    The control plane isn't shared: to start one takes less time than to remove all CRDs again.
    """
    directory = tmp_path_factory.mktemp("webhook")
    with plane_with_crds(control_plane_assets, *crd_files(directory)) as plane:
        cluster = Cluster(plane, directory, WebhookProcess(directory))
        try:
            with cluster.connections:
                cluster.register()
                yield cluster
        finally:
            cluster.webhook.stop()
