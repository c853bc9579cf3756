"""Kinds are read in the versions that a server has: older devices, and pools of autoscalers in any of theirs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from tests.command_line import run
from tests.e2e.process import WebhookProcess
from tests.e2e.reviews import answer, eventually, ready
from tests.e2e.test_live_facts import put_node
from tests.programs.control_plane.fixtures import StartControlPlane
from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.ground.objects import JSONObject

pytestmark = pytest.mark.control_plane

_OLD: Final = "resource.k8s.io/v1beta1"
_OLD_DEVICES: Final = (
    {"apiVersion": _OLD, "kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {}},
    {
        "apiVersion": _OLD,
        "kind": "ResourceSlice",
        "metadata": {"name": "a-gpus"},
        "spec": {
            "driver": "gpu.amd.com",
            "nodeName": "a",
            "pool": {"name": "a", "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": f"gpu-{at}", "basic": {"attributes": {"model": {"string": model}}}} for at, model in enumerate("xxy")],
        },
    },
)


def old_template(count: int) -> JSONObject:
    """A template of v1beta1 for a number of devices of model x."""
    selectors = [{"cel": {"expression": 'device.attributes["gpu.amd.com"].model == "x"'}}]
    request = {"name": "r", "deviceClassName": "gpu", "count": count, "selectors": selectors}
    spec = {"spec": {"devices": {"requests": [request]}}}
    return {
        "apiVersion": _OLD,
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": f"gpus-{count}", "namespace": "default"},
        "spec": spec,
    }


def pod_with_claim(template: str) -> JSONObject:
    """A pod with a claim that is made from a template; it tolerates the taint that a new node has."""
    claims = [{"name": "c", "resourceClaimTemplateName": template}]
    spec = {"containers": [{"name": "c", "image": "i"}], "resourceClaims": claims, "tolerations": [{"operator": "Exists"}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": template, "namespace": "default"}, "spec": spec}


def test_devices_are_known_in_the_older_version_that_a_server_has(start_control_plane: StartControlPlane, tmp_path: Path) -> None:
    served = ",".join(f"resource.k8s.io/{version}" for version in ("v1=false", "v1beta2=false", "v1beta1=true"))
    plane = start_control_plane(apiserver_flags=[f"--runtime-config={served}"])
    put_node(plane, "a")
    for obj in (*_OLD_DEVICES, old_template(2), old_template(3)):
        plane.kubectl("apply", "-f", "-", input=json.dumps(obj), check=True)
    snapshot = tmp_path / "cluster.yaml"
    assert run("snapshot", "--kubeconfig", str(plane.kubeconfig), "--file", str(snapshot)).returncode == 0
    pods = [pod_with_claim(f"gpus-{count}") for count in (2, 3)]
    records = [json.loads(run("dry-run", "-", "--cluster", str(snapshot), "-o", "jsonl", text=json.dumps(pod)).stdout) for pod in pods]
    assert [record["placement"]["feasible"] for record in records] == [["a"], []]
    assert records[1]["placement"]["rejected"] == {"a": ["cannot allocate all claims"]}
    with WebhookProcess(tmp_path, "--live", "--kubeconfig", str(plane.kubeconfig)) as webhook:
        eventually(lambda: ready(webhook))
        assert [answer(webhook, pod, "pods").get("warnings") for pod in pods] == [record["warnings"] or None for record in records]


def open_crd(group: str, kind: str, *versions: str) -> JSONObject:
    """A definition that accepts anything, stored in the first of its versions."""
    anything = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    plural = f"{kind.lower()}s"
    listed = [{"name": name, "served": True, "storage": name == versions[0], "schema": anything} for name in versions]
    names = {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"}
    spec = {"group": group, "scope": "Cluster" if kind == "NodePool" else "Namespaced", "names": names, "versions": listed}
    head = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"{plural}.{group}"}}
    return {**head, "spec": spec}


_SIZE: Final = {"cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": "3"}
_CAPACITY: Final = {f"capacity.cluster-autoscaler.kubernetes.io/{key}": text for key, text in {"cpu": "64", "memory": "256Gi"}.items()}
_TEMPLATE: Final = {"spec": {"requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]}}


@pytest.mark.parametrize(
    ("crd", "pool", "text"),
    [
        (open_crd("karpenter.sh", "NodePool", "v1beta1"), {"spec": {"template": _TEMPLATE}}, "NodePool pool"),
        (open_crd("cluster.x-k8s.io", "MachineSet", "v1beta1", "v1beta2"), {"spec": {}}, "MachineSet pool"),
        (open_crd("cluster.x-k8s.io", "MachinePool", "v1beta2"), {"spec": {}}, "MachinePool pool"),
        (open_crd("cluster.x-k8s.io", "MachineDeployment", "v1alpha4"), {"spec": {}}, ""),
    ],
)
def test_pools_of_autoscalers_are_known_in_the_versions_that_are_served(
    start_control_plane: StartControlPlane, tmp_path: Path, crd: JSONObject, pool: JSONObject, text: str
) -> None:
    plane = start_control_plane()
    put_node(plane, "small")
    install(plane, crd)
    group, version, kind = crd["spec"]["group"], crd["spec"]["versions"][0]["name"], crd["spec"]["names"]["kind"]
    metadata = {"name": "pool", "annotations": {**_SIZE, **_CAPACITY}} | ({} if kind == "NodePool" else {"namespace": "default"})
    made = {"apiVersion": f"{group}/{version}", "kind": kind, "metadata": metadata, **pool}
    plane.kubectl("apply", "-f", "-", input=json.dumps(made), check=True)
    snapshot = tmp_path / "cluster.yaml"
    done = run("snapshot", "--kubeconfig", str(plane.kubeconfig), "--file", str(snapshot))
    large = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "32"}}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [large]}}
    told = run("dry-run", "-", "--cluster", str(snapshot), "-o", "jsonl", text=json.dumps(pod)).stdout
    if text:
        assert (done.stderr.count("\n"), done.stderr.endswith("; not read: nothing\n")) == (1, True)
        assert text in told
    else:
        assert (
            f"{kind}.{group} is not known: machinedeployments.{group} is served as {version}, and only v1beta2, v1beta1 can be read"
            in done.stderr
        )


def install(plane: ControlPlane, crd: JSONObject) -> None:
    """Install a definition; returns once its kind is served."""
    plane.kubectl("apply", "-f", "-", input=json.dumps(crd), check=True)
    eventually(lambda: plane.kubectl("get", crd["metadata"]["name"]).returncode == 0)
