"""Engine, command line, webhook and the real server agree: on every case, and on upstream's own manifests."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.doors.cases import Case
from tests.e2e.cluster import Cluster
from tests.e2e.comparison import answered_alike, created, created_alike, needs_the_operator, updated_alike
from tests.e2e.process import TurningProcess
from tests.e2e.versions import OF_NEWEST
from tests.yaml_documents import read_all
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

pytestmark = [pytest.mark.control_plane, pytest.mark.usefixtures("kubernetes_of_the_plane")]

CREATED = [case for case in OF_NEWEST if case.old is None and not needs_the_operator(case)]
UPDATED = [case for case in OF_NEWEST if case.old is not None]


@pytest.fixture(scope="module")
def webhook(cluster: Cluster) -> Iterator[TurningProcess]:
    """The webhook, which gets the facts of each case, and the namespaces of the cases."""
    for namespace in {namespace_of(case.object) or "default" for case in OF_NEWEST}:
        cluster.namespace(namespace)
    with cluster.turning() as webhook:
        yield webhook


@pytest.mark.parametrize("case", CREATED, ids=lambda case: case.id)
def test_server_says_of_a_created_case_what_the_engine_says(cluster: Cluster, webhook: TurningProcess, case: Case) -> None:
    created_alike(cluster, webhook, case)


@pytest.mark.parametrize("case", UPDATED, ids=lambda case: case.id)
def test_server_says_of_an_updated_case_what_the_engine_says(cluster: Cluster, webhook: TurningProcess, case: Case) -> None:
    updated_alike(cluster, webhook, case)


def _upstream(folder: Path) -> list[JSONObject]:
    found = []
    for path in sorted(folder.glob("samples/**/*.yaml")):
        try:
            documents = list(read_all(path.read_text()))
        except yaml.YAMLError:
            continue  # Helm templates and the like
        found += [
            obj
            for obj in documents
            if isinstance(obj, dict) and (gvk := GroupVersionKind.from_object(obj)) and bundled_definitions().get(gvk) is not None
        ]
    return found


# LLMKube's are in test_corpus, with the outcome of each.
@pytest.mark.parametrize(("system", "least"), [("aim", 100), ("gie", 50), ("llmaz", 0), ("ome", 0)])
@pytest.mark.timeout(600)
def test_server_says_of_upstreams_own_manifests_what_the_engine_says(
    cluster: Cluster, webhook: TurningProcess, shared: Path, system: str, least: int
) -> None:
    objects = _upstream(shared / "corpus" / system)
    assert len(objects) >= least
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
        answered_alike(created(cluster, manifest), decide(request, facts, DEFAULT))
