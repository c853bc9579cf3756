"""The same agreement in a cluster with the CRDs of LLMKube v0.9.5."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import ROOT
from tests.doors.cases import CASES, Case
from tests.e2e.cluster import Cluster
from tests.e2e.comparison import created_alike, updated_alike
from tests.e2e.conftest import crd_files
from tests.e2e.process import TurningProcess
from tests.e2e.versions import OF_NEWEST, OF_OLD, OF_OLD_EXTENSION
from tests.programs.control_plane.crds import install_crds
from weighbridge.policies.ground.objects import JSONObject, namespace_of

pytestmark = pytest.mark.control_plane

_CRDS = ROOT / "policies" / "families" / "llmkube" / "crds" / "v0.9.5"
#: Fields that came after v0.9.5, in an object that is valid with the newest CRDs.
_TOO_NEW: tuple[tuple[str, JSONObject], ...] = (
    ("Model", {"source": "https://example.com/m.gguf", "prefetch": True}),
    ("InferenceService", {"modelRef": "m", "suspend": True}),
)


@pytest.fixture(scope="module")
def webhook(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TurningProcess]:
    """The webhook, which gets the facts of each case, in a cluster with the old CRDs; the newest are restored afterwards."""
    for namespace in {namespace_of(case.object) or "default" for case in OF_OLD}:
        cluster.namespace(namespace)
    with cluster.turning() as webhook:
        webhook.turn(lets_all_in=True)
        install_crds(cluster.plane, *sorted(_CRDS.glob("*.yaml")))
        cluster.wait_until_fields(_TOO_NEW, known=False)
        yield webhook
        webhook.turn(lets_all_in=True)
        install_crds(cluster.plane, *crd_files(tmp_path_factory.mktemp("newest"), "inference.llmkube.dev"))
        cluster.wait_until_fields(_TOO_NEW, known=True)


@pytest.mark.parametrize("case", OF_OLD, ids=lambda case: case.id)
def test_server_with_old_crds_says_what_the_engine_says(cluster: Cluster, webhook: TurningProcess, case: Case) -> None:
    (created_alike if case.old is None else updated_alike)(cluster, webhook, case)


def test_every_case_is_compared_by_one_version() -> None:
    assert len(OF_NEWEST) + len(OF_OLD) + len(OF_OLD_EXTENSION) == len(CASES)
    assert len(OF_OLD) >= 5
