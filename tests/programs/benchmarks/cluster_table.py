"""The cost of a large cluster: of loading it, holding it, placing a pod in it and following its changes.

5,000 nodes of 20 shapes and 2,000 objects, as `weighbridge snapshot` writes them. The memory is measured in a separate process: ``python -m
tests.programs.benchmarks.cluster_table FILE`` loads the file and reports.
"""

from __future__ import annotations

import copy
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from tests.programs.benchmarks.processes import usage
from tests.programs.benchmarks.timing import compare, reference
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, Inventory, Node, from_objects
from weighbridge.policies.facts.document import SnapshotHeader
from weighbridge.policies.facts.kept_parts import trim
from weighbridge.policies.facts.kinds import PLACEMENT_KINDS
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.placement import place
from weighbridge.webhook.inputs.cluster_files import read_cluster
from weighbridge.webhook.texts.yaml_text import yaml_text

NODES: Final = 5000
OBJECTS: Final = 2000
SHAPES: Final = 20
CHANGES: Final = 50
_ROUNDS: Final = 3
#: The priorities of LLMKube, which installs a PriorityClass for each.
_PRIORITIES: Final = ("critical", "high", "normal", "low", "batch")
_GPU, _ID, _DRA = "amd.com/gpu", "amd.com/gpu.device-id", "resource.k8s.io/v1"
_DEVICES: Final = ("74a1", "74a5", "740f", "75a3")


def a_node(index: int) -> JSONObject:
    """A node as kubelets report it: its shape decides hardware, zone and taints, and the rest differs from node to node."""
    shape = index % SHAPES
    name = f"node-{index:04}"
    labels = {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "node.kubernetes.io/instance-type": f"type-{shape}",
        "topology.kubernetes.io/region": "region",
        "topology.kubernetes.io/zone": f"zone-{shape % 3}",
        "machine": f"machine-{index * 7919:08x}",
        **{f"feature.node.kubernetes.io/cpu-cpuid.FEATURE{at}": "true" for at in range(20 + shape % 4)},
    }
    allocatable = {"cpu": "191500m", "memory": f"{2_000_000_000 + index}Ki", "ephemeral-storage": "1T", "pods": "110", "hugepages-2Mi": "0"}
    taints: list[JSONObject] = []
    if shape < 10:
        labels |= {_ID: _DEVICES[shape % 4], "amd.com/gpu.family": "AI", "amd.com/gpu.vram": "192G", f"beta.{_ID}": _DEVICES[shape % 4]}
        allocatable[_GPU] = "8"
        taints = [{"key": _GPU, "value": "present", "effect": "NoSchedule"}] if shape % 2 else []
    conditions = [{"type": kind, "status": "False"} for kind in ("MemoryPressure", "DiskPressure")] + [{"type": "Ready", "status": "True"}]
    status = {"allocatable": allocatable, "capacity": allocatable, "conditions": conditions, "nodeInfo": {"kubeletVersion": "v1.36.0"}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": {"taints": taints}, "status": status}


def objects() -> Iterator[JSONObject]:
    """What pods refer to, the slices of 400 nodes with eight devices each, and Models and claims for volumes that make up the rest."""
    for priority in _PRIORITIES:
        yield {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": f"llmkube-{priority}"}, "value": 1000}
    marked = {"name": "standard", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}}
    binding = {"provisioner": "csi.example.com", "volumeBindingMode": "WaitForFirstConsumer"}
    yield {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": marked, **binding}
    selector = {"cel": {"expression": 'device.driver == "gpu.amd.com"'}}
    yield {"apiVersion": _DRA, "kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {"selectors": [selector]}}
    one = {"selectors": [{"cel": {"expression": 'device.attributes["gpu.amd.com"].uuid == "00000007-0003"'}}]}
    wishes: dict[str, JSONObject] = {"gpus": {"count": 8}, "this-one": {"count": 1, **one}}
    for name, wish in wishes.items():
        template: JSONObject = {"spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu", **wish}}]}}}
        metadata: JSONObject = {"name": name, "namespace": "serving"}
        yield {"apiVersion": _DRA, "kind": "ResourceClaimTemplate", "metadata": metadata, "spec": template}
    product = {"productName": {"string": "AMD_Instinct_MI300X_OAM"}}
    for index in range(400):
        name = f"node-{index * 10:04}"
        devices = [
            {"name": f"gpu-{at}", "attributes": {**product, "index": {"int": at}, "uuid": {"string": f"{index:08x}-{at:04x}"}}}
            for at in range(8)
        ]
        pool = {"name": name, "generation": 1, "resourceSliceCount": 1}
        spec = {"driver": "gpu.amd.com", "pool": pool, "nodeName": name, "devices": devices}
        yield {"apiVersion": _DRA, "kind": "ResourceSlice", "metadata": {"name": f"{name}-gpus"}, "spec": spec}
    for index in range(OBJECTS - 404 - len(_PRIORITIES)):
        yield _claim(index) if index % 2 else _model(index)


def _model(index: int) -> JSONObject:
    metadata = {"name": f"model-{index}", "namespace": "serving", "labels": {"team": f"team-{index % 40}"}}
    source = {"source": f"hf://org/model-{index}", "hardware": {"accelerator": "rocm", "gpu": {"count": 1, "vendor": "amd"}}}
    return {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": "Model", "metadata": metadata, "spec": source}


def _claim(index: int) -> JSONObject:
    metadata = {"name": f"model-{index}", "namespace": "serving", "labels": {"team": f"team-{index % 40}"}}
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "100Gi"}}, "storageClassName": "fast"}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": claim, "status": {"phase": "Bound"}}


def snapshot() -> JSONObject:
    """A snapshot of the whole cluster, with all kinds that rules may look up."""
    kinds = [(kind.gvk.group, kind.gvk.kind) for kind in PLACEMENT_KINDS]
    for family in families():
        kinds += [(kind.gvk.group, kind.gvk.kind) for kind in family.kinds]
        kinds += [(kind.gvk.group, kind.gvk.kind) for kind in family.looks_up]
    items = [trim(a_node(index)) for index in range(NODES)] + list(objects())
    return SnapshotHeader("v1.36.0", "2026-01-01T00:00:00Z", tuple(kinds)).document(items)


def _load(path: str) -> Facts:
    objects, extent = read_cluster([path])
    return from_objects(objects, Definitions(), extent=extent)


def _pod(gpus: int = 8, **spec: object) -> JSONObject:
    resources = {"requests": {"cpu": "8", "memory": "64Gi"}, "limits": {_GPU: str(gpus)} if gpus else {}}
    containers = [{"name": "c", "image": "i", "resources": resources}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "serving"},
        "spec": {"containers": containers, **spec},
    }


_PODS: Final = {
    "a pod that fits": _pod(),
    "a pod that fits nowhere": _pod(16),
    "by hostname": _pod(nodeSelector={"kubernetes.io/hostname": "node-2500"}),
    "by a device claim": _pod(0, resourceClaims=[{"name": "c", "resourceClaimTemplateName": "gpus"}]),
    "by a claim for one device of all": _pod(0, resourceClaims=[{"name": "c", "resourceClaimTemplateName": "this-one"}]),
}


def _follow(inventory: Inventory, reports: list[JSONObject], *, news: bool) -> Callable[[], Inventory]:
    """Take in one report after the other, as the watch does; with `news`, each differs from the node's last report."""
    now, turn = inventory, 0

    def take_in() -> Inventory:
        nonlocal now, turn
        turn, before = turn + 1, now
        report = reports[turn % len(reports)]
        if news:
            report["status"]["allocatable"]["pods"] = str(100 + turn // len(reports) % 2)
        now = now.with_node(Node.from_object(trim(report)))
        assert (now is not before) is news
        return now

    return take_in


def _place_after(take_in: Callable[[], Inventory], facts: Facts, pod: JSONObject) -> Callable[[], None]:
    """Place a pod in the inventory after a change, when nothing has been computed for the new inventory yet."""

    def run() -> None:
        place(pod, replace(facts, inventory=take_in()))

    return run


def _loading(path: Path) -> float:
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.process_time()
        _load(str(path))
        best = min(best, time.process_time() - start)
    return best


def _line(name: str, seconds: float, base: float) -> None:
    amount = f"{seconds * 1e3:10.2f} ms" if seconds > 1e-4 else f"{seconds * 1e6:10.1f} µs"
    print(f"  {name:36}{amount}{seconds / base:12,.1f} x reference")


def main() -> None:
    """Print the table."""
    document = snapshot()
    base = compare({"reference": reference})["reference"].seconds
    print(f"A cluster of {NODES:,} nodes of {SHAPES} shapes and {OBJECTS:,} objects, CPU time of one process")
    with tempfile.TemporaryDirectory() as folder:
        files = {"JSON": Path(folder, "cluster.json"), "YAML": Path(folder, "cluster.yaml")}
        files["JSON"].write_text(json.dumps(document))
        files["YAML"].write_text(yaml_text(document))
        for form, path in files.items():
            _line(f"load {path.stat().st_size / 1e6:.1f} MB of {form}", _loading(path), base)
        held = subprocess.run(
            [sys.executable, "-m", "tests.programs.benchmarks.cluster_table", str(files["JSON"])], capture_output=True, check=True
        )
        facts = _load(str(files["JSON"]))
    memory = json.loads(held.stdout)
    print(f"  resident: {memory['held']:.0f} MiB with the facts, {memory['before']:.0f} without, {memory['peak']:.0f} while loading JSON")
    assert facts.inventory is not None
    kept = facts.inventory
    for name, pod in _PODS.items():
        _check(name, place(pod, facts).feasible)
        _line(f"place {name}", compare({name: partial(place, pod, facts)})[name].seconds, base)
    reports = [a_node(index) for index in range(0, NODES, NODES // 100)]
    for name, news in (("a report without news taken in", False), ("a changed node taken in", True)):
        following = compare({name: _follow(kept, copy.deepcopy(reports), news=news)})[name].seconds
        _line(name, following, base)
        print(f"    {CHANGES} a second: {following * CHANGES:.2%} of one CPU")
    for name in ("a pod that fits nowhere", "by a device claim"):
        changing = _place_after(_follow(kept, copy.deepcopy(reports), news=True), facts, _PODS[name])
        _line(f"the same, then {name}", compare({name: changing})[name].seconds, base)


def _check(name: str, feasible: list[str]) -> None:
    """Check that each pod fits as its name says."""
    expected = {"a pod that fits nowhere": 0, "by hostname": 1, "by a device claim": 400, "by a claim for one device of all": 1}.get(
        name, 1250
    )
    assert len(feasible) == expected, (name, len(feasible))


def _hold(path: str) -> None:
    """Load a file and report the memory of the process in MiB."""
    before = usage()
    facts = _load(path)
    held = usage()
    assert facts.inventory is not None
    assert len(facts.inventory) == NODES
    json.dump({"before": before.resident, "held": held.resident, "peak": held.peak}, sys.stdout)


if __name__ == "__main__":
    _hold(sys.argv[1])
