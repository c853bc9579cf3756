"""The real server accepts upstream's own manifests after their migration."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import SHARED
from tests.e2e.cluster import Cluster
from tests.e2e.comparison import url_of
from tests.e2e.process import TurningProcess
from tests.migration.corpus import CHANGED
from tests.migration.test_llmaz import PAIRS
from tests.migration.texts import migrate
from tests.yaml_documents import read_all
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.webhook.migration.files import Migrated

pytestmark = [
    pytest.mark.control_plane,
    pytest.mark.skipif(not SHARED.is_dir(), reason="upstream's manifests aren't next to the checkout"),
]

#: Kinds of other projects that are migrated because of their references; their CRDs aren't installed.
_OF_OTHERS = ("HTTPRoute", "GCPBackendPolicy")
#: Fields that no version of the kind has had; the originals are refused for them too.
_NEVER_KNOWN = {"spec.model.creationScope", "spec.endpointPickerRef.namespace"}


def _objects(result: Migrated) -> list[JSONObject]:
    """The objects of the families in a migrated file, each in the namespace of this test."""
    found = []
    for obj in read_all(result.after):
        gvk = GroupVersionKind.from_object(obj) if isinstance(obj, dict) else None
        family = family_of(gvk.group) if gvk is not None else None
        kind = family.kind(gvk) if family is not None and gvk is not None else None
        if kind is not None:
            if kind.namespaced:
                obj["metadata"]["namespace"] = "migrated"
            found.append(obj)
    return found


@pytest.fixture(scope="module")
def open_webhook(cluster: Cluster) -> Iterator[TurningProcess]:
    """A webhook that accepts everything, so that only the server decides."""
    cluster.namespace("migrated")
    with cluster.turning() as webhook:
        webhook.turn(lets_all_in=True)
        yield webhook


@pytest.mark.usefixtures("open_webhook")
@pytest.mark.parametrize("result", CHANGED, ids=lambda result: str(Path(result.source).relative_to(SHARED / "corpus")))
def test_server_takes_what_is_migrated(cluster: Cluster, result: Migrated) -> None:
    objects = _objects(result)
    assert len(objects) >= result.objects - sum(result.after.count(f"kind: {kind}") for kind in _OF_OTHERS)
    for obj in objects:
        collection = url_of(obj).rpartition("/")[0]
        reply = cluster.connections.send_value("POST", f"{collection}?dryRun=All&fieldValidation=Strict", obj)
        assert reply.code == 201 or any(f'unknown field "{field}"' in reply.body["message"] for field in _NEVER_KNOWN), reply.body


@pytest.mark.usefixtures("open_webhook")
@pytest.mark.parametrize("text", [after for _, after in PAIRS], ids=["model", "playground", "service", "runtime"])
def test_server_takes_what_fields_of_llmaz_have_become(cluster: Cluster, text: str) -> None:
    (obj,) = _objects(migrate(text))
    collection = url_of(obj).rpartition("/")[0]
    reply = cluster.connections.send_value("POST", f"{collection}?dryRun=All&fieldValidation=Strict", obj)
    assert reply.code == 201, reply.body


def test_models_become_objectives_and_rewrites() -> None:
    kinds = [obj["kind"] for result in CHANGED for obj in _objects(result)]
    assert kinds.count("InferenceObjective") >= 20
    assert kinds.count("InferenceModelRewrite") >= 2
    assert kinds.count("InferencePool") >= 2
