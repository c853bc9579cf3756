"""Live pools and models of the Inference Extension: the verdict follows the objects around them, and the installed release."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.doors.cases import Case
from tests.e2e.cluster import Cluster
from tests.e2e.comparison import created_alike
from tests.e2e.conftest import crd_files
from tests.e2e.process import TurningProcess
from tests.e2e.reviews import eventually, ready
from tests.e2e.versions import OF_OLD_EXTENSION
from tests.programs.control_plane.crds import install_crds
from weighbridge.policies.families.inference_extension import GROUPS
from weighbridge.policies.families.inference_extension.family import FAMILY
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, namespace_of

# It takes a moment until each of several objects is noticed.
pytestmark = [pytest.mark.control_plane, pytest.mark.timeout(600)]

_CRDS = ROOT / "policies" / "families" / "inference_extension" / "crds"
_STABLE, _EXPERIMENTAL = "inference.networking.k8s.io/v1", "inference.networking.x-k8s.io/v1alpha2"
#: An applied CRD comes into force a moment later.
_PATIENCE_SECONDS = 60.0


@pytest.fixture(scope="module")
def following(cluster: Cluster) -> Iterator[Cluster]:
    """The webhook, which follows its cluster."""
    cluster.serve(["--live", "--kubeconfig", str(cluster.plane.kubeconfig)])
    eventually(lambda: ready(cluster.webhook))
    yield cluster
    cluster.serve([])


@pytest.fixture
def namespace(following: Cluster, request: pytest.FixtureRequest) -> str:
    """A new namespace for the test."""
    return following.namespace(request.node.name.replace("_", "-")[:60].strip("-"))


def an_object(api_version: str, kind: str, namespace: str, name: str, **spec: Any) -> JSONObject:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def a_pool(namespace: str, name: str = "pool") -> JSONObject:
    picker = {"name": "epp", "port": {"number": 9002}}
    ports, selector = [{"number": 8000}], {"matchLabels": {"app": "vllm"}}
    return an_object(_STABLE, "InferencePool", namespace, name, selector=selector, targetPorts=ports, endpointPickerRef=picker)


def a_service(namespace: str, port: int) -> JSONObject:
    return an_object("v1", "Service", namespace, "epp", ports=[{"name": "grpc", "port": port}], selector={"app": "epp"})


def a_deployment(namespace: str, port: int) -> JSONObject:
    labels = {"app": "vllm"}
    container = {"name": "vllm", "image": "vllm/vllm-openai:v0.10.0", "ports": [{"containerPort": port}]}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    return an_object("apps/v1", "Deployment", namespace, "vllm", selector={"matchLabels": labels}, template=template)


def a_model(namespace: str, name: str) -> JSONObject:
    return an_object(_EXPERIMENTAL, "InferenceModel", namespace, name, modelName="llama-3", poolRef={"name": "pool"})


def told(cluster: Cluster, obj: JSONObject) -> str:
    """The server's warnings on a dry-run creation of an object."""
    return cluster.create(obj, dry_run=True).stderr


def gone(cluster: Cluster, namespace: str, *named: str) -> None:
    cluster.plane.kubectl("delete", "-n", namespace, *named, check=True)


def test_a_picker_that_comes_changes_and_goes_is_seen(following: Cluster, namespace: str) -> None:
    pool = a_pool(namespace)
    assert f'GIE-010 spec.endpointPickerRef.name: namespace "{namespace}" has no Service "epp"' in told(following, pool)
    following.apply(a_service(namespace, 9003))
    eventually(lambda: 'Service "epp" has no port 9002; it has 9003' in told(following, pool))
    gone(following, namespace, "service/epp")
    eventually(lambda: "GIE-010" in told(following, pool))
    following.apply(a_service(namespace, 9002))
    eventually(lambda: "endpointPickerRef" not in told(following, pool))


def test_model_servers_that_come_change_and_go_are_seen(following: Cluster, namespace: str) -> None:
    pool = a_pool(namespace)
    eventually(lambda: "creates pods with app=vllm" in told(following, pool))
    following.apply(a_deployment(namespace, 8080))
    eventually(lambda: 'the pods of Deployment "vllm" declare no port 8000; they declare 8080' in told(following, pool))
    following.apply(a_deployment(namespace, 8000))
    eventually(lambda: "GIE-016" not in told(following, pool))
    gone(following, namespace, "deployment/vllm")
    eventually(lambda: "GIE-015" in told(following, pool))


def test_a_pool_that_comes_and_goes_is_seen_by_what_refers_to_it(following: Cluster, namespace: str) -> None:
    objective = an_object(_EXPERIMENTAL, "InferenceObjective", namespace, "fast", priority=1, poolRef={"name": "pool"})
    assert "GIE-002" in told(following, objective)
    following.apply(a_pool(namespace))
    eventually(lambda: "poolRef" not in told(following, objective))
    eventually(lambda: 'InferencePool "pool" chooses pods with app=vllm, too' in told(following, a_pool(namespace, "second")))
    assert "GIE-007" in told(following, a_model(namespace, "m"))
    gone(following, namespace, "inferencepools.inference.networking.k8s.io/pool")
    eventually(lambda: "GIE-002" in told(following, objective))


def test_a_name_that_is_taken_is_free_once_its_holder_is_gone(following: Cluster, namespace: str) -> None:
    following.plane.kubectl("create", "-f", "-", input=json.dumps(a_model(namespace, "first")), check=True)
    refusal = '"llama-3" is taken in pool "pool" by InferenceModel "first"'
    eventually(lambda: refusal in told(following, a_model(namespace, "second")))
    assert following.create(a_model(namespace, "second")).returncode == 1
    # The model that has the name may be changed.
    label = following.plane.kubectl("label", "-n", namespace, "inferencemodel/first", "team=research")
    assert label.returncode == 0, label.stderr
    gone(following, namespace, "inferencemodel/first")
    eventually(lambda: refusal not in told(following, a_model(namespace, "second")))
    stored = following.create(a_model(namespace, "second"))
    assert stored.returncode == 0, stored.stderr
    # Nothing is filled in: upstream means criticality to have no default.
    assert json.loads(stored.stdout)["spec"].keys() == {"modelName", "poolRef"}


def test_a_removed_kind_is_told_by_what_is_installed(following: Cluster, namespace: str) -> None:
    assert "InferenceModel of inference.networking.x-k8s.io has not been shipped since v1.0.0" in told(following, a_model(namespace, "m"))


@pytest.fixture
def turning(cluster: Cluster, tmp_path: Path) -> Iterator[TurningProcess]:
    """The webhook, which gets the facts of each case; the newest CRDs are restored afterwards."""
    for namespace in {namespace_of(case.object) for _, case in OF_OLD_EXTENSION}:
        cluster.namespace(namespace)
    with cluster.turning() as webhook:
        yield webhook
        webhook.turn(lets_all_in=True)
    install_crds(cluster.plane, *crd_files(tmp_path, *GROUPS))


def _crd(version: str, case: Case) -> Path:
    """The CRD for a case: the one of its version, or of the next version that has one."""
    gvk = GroupVersionKind.from_object(case.object)
    kind = FAMILY.kind(gvk) if gvk is not None else None
    assert kind is not None
    paths = [_CRDS / other / f"{kind.gvk.group}_{kind.plural}.yaml" for other in FAMILY.versions_for(kind, version)]
    return next(path for path in paths if path.exists())


def test_servers_with_the_crds_of_older_releases_say_what_the_engine_says(
    cluster: Cluster, turning: TurningProcess, tmp_path: Path
) -> None:
    assert len({version for version, _ in OF_OLD_EXTENSION}) >= 4
    for version, case in OF_OLD_EXTENSION:
        path = _crd(version, case)
        turning.turn(lets_all_in=True)
        install_crds(cluster.plane, path)
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                created_alike(cluster, turning, case)
                break
            except AssertionError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
