"""Engine, command line, webhook and the real server agree: on every case, and on upstream's own manifests."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from policies.apiserver.definitions import Definitions
from policies.config import DEFAULT
from policies.engine import decide
from policies.facts import from_objects
from policies.families.llmkube.family import FAMILY as LLMKUBE
from policies.objects import FieldValidation, GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from policies.request import Request
from tests.doors.cases import CASES, Case
from tests.e2e.cluster import Cluster
from tests.e2e.comparison import compare, created_alike, updated_alike
from tests.e2e.conftest import crd_files
from tests.e2e.process import TurningProcess
from tests.programs.control_plane.crds import install_crds
from webhook.inputs import bundled_definitions

pytestmark = pytest.mark.control_plane

_NEWEST = LLMKUBE.versions[-1]
_CRDS = Path(__file__).resolve().parents[2] / "policies" / "families" / "llmkube" / "crds"
#: Fields that came after v0.9.5, in an object that is fine with the newest CRDs.
_TOO_NEW: tuple[tuple[str, JSONObject], ...] = (
    ("Model", {"source": "https://example.com/m.gguf", "prefetch": True}),
    ("InferenceService", {"modelRef": "m", "suspend": True}),
)


def _version(case: Case) -> str:
    """The version of the CRDs that a case is judged by."""
    return LLMKUBE.bundled_version(Definitions(), case.configuration())


CREATED = [case for case in CASES if case.old is None and _version(case) == _NEWEST]
UPDATED = [case for case in CASES if case.old is not None and _version(case) == _NEWEST]
OF_OLD = [case for case in CASES if _version(case) == "v0.9.5"]


@pytest.fixture(scope="module")
def webhook(cluster: Cluster) -> Iterator[TurningProcess]:
    """The webhook that is turned to the facts of each case, and the namespaces that cases are in."""
    for namespace in {namespace_of(case.object) or "default" for case in CASES}:
        cluster.namespace(namespace)
    with cluster.turning() as webhook:
        yield webhook


@pytest.fixture(scope="module")
def webhook_of_old(cluster: Cluster, webhook: TurningProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TurningProcess]:
    """The same in a cluster that has the CRDs of v0.9.5; the newest are put back afterwards."""
    webhook.turn(lets_all_in=True)
    install_crds(cluster.plane, *sorted((_CRDS / "v0.9.5").glob("*.yaml")))
    cluster.wait_until_fields(_TOO_NEW, known=False)
    yield webhook
    webhook.turn(lets_all_in=True)
    install_crds(cluster.plane, *crd_files(tmp_path_factory.mktemp("newest")))
    cluster.wait_until_fields(_TOO_NEW, known=True)


@pytest.mark.parametrize("case", CREATED, ids=lambda case: case.id)
def test_server_says_of_a_created_case_what_the_engine_says(cluster: Cluster, webhook: TurningProcess, case: Case) -> None:
    created_alike(cluster, webhook, case)


@pytest.mark.parametrize("case", UPDATED, ids=lambda case: case.id)
def test_server_says_of_an_updated_case_what_the_engine_says(cluster: Cluster, webhook: TurningProcess, case: Case) -> None:
    updated_alike(cluster, webhook, case)


@pytest.mark.parametrize("case", OF_OLD, ids=lambda case: case.id)
def test_server_with_old_crds_says_what_the_engine_says(cluster: Cluster, webhook_of_old: TurningProcess, case: Case) -> None:
    (created_alike if case.old is None else updated_alike)(cluster, webhook_of_old, case)


def test_every_case_is_compared() -> None:
    assert len(CREATED) + len(UPDATED) + len(OF_OLD) == len(CASES)
    assert len(OF_OLD) >= 5


def _upstream(shared: Path) -> list[JSONObject]:
    found = []
    for path in sorted((shared / "corpus").glob("*/samples/**/*.yaml")):
        if path.is_relative_to(shared / "corpus" / "llmkube"):
            continue  # test_corpus has these, with the outcome of each
        try:
            documents = list(yaml.safe_load_all(path.read_text()))
        except yaml.YAMLError:
            continue  # Helm templates and the like
        found += [
            obj
            for obj in documents
            if isinstance(obj, dict) and (gvk := GroupVersionKind.from_object(obj)) and bundled_definitions().get(gvk) is not None
        ]
    return found


def test_server_says_of_upstreams_own_manifests_what_the_engine_says(cluster: Cluster, webhook: TurningProcess, shared: Path) -> None:
    objects = _upstream(shared)
    assert len(objects) >= 5
    webhook.turn()
    cluster.namespace("upstream")
    facts = from_objects([], bundled_definitions())
    for obj in objects:
        manifest = copy.deepcopy(obj)
        manifest["metadata"]["namespace"] = "upstream"
        gvk = GroupVersionKind.from_object(manifest)
        assert gvk is not None
        request = Request(
            "upstream",
            Operation.CREATE,
            gvk,
            manifest,
            namespace="upstream",
            name=name_of(manifest),
            field_validation=FieldValidation.STRICT,
        )
        compare(cluster.create(manifest, dry_run=True), decide(request, facts, DEFAULT), gvk)
