"""The cost of following a large live cluster: the first sync, the webhook's memory, changes of nodes, and the delay of a write.

A real API server with 5,000 nodes as kubelets report them (images, conditions and all) and 2,000 objects. It is compared with the
same webhook without a cluster.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Final

from tests.e2e.cluster import Cluster
from tests.e2e.conftest import crd_files
from tests.e2e.process import WebhookProcess
from tests.e2e.reviews import ready
from tests.programs.benchmarks import service_table
from tests.programs.benchmarks.cluster_table import CHANGES, NODES, SHAPES, a_node, objects
from tests.programs.benchmarks.processes import Usage, usage
from tests.programs.control_plane.build import find_assets
from tests.programs.control_plane.crds import install_crds
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.scheduler.api import MERGE_PATCH, Api
from weighbridge.policies.apiserver.built_in import plural_of
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

_CHURN_SECONDS: Final = 20
_WRITES: Final = 400
_WARM: Final = 20
#: New nodes don't get the taint that a controller would remove in a cluster.
_FLAGS: Final = ("--disable-admission-plugins=TaintNodesByCondition",)
_JUDGED, _LEFT_ALONE = "judged", "left-alone"
_IMAGES: Final = 50


def main() -> None:
    """Print the table."""
    assets = find_assets()
    if assets is None:
        print("A live cluster: not measured, there is no API server; build it with: make control-plane")
        return
    print(f"A live cluster of {NODES:,} nodes of {SHAPES} shapes and {len(list(objects())):,} objects, behind a real API server")
    with tempfile.TemporaryDirectory() as folder, ControlPlane(assets, apiserver_flags=_FLAGS) as plane, Api(plane) as api:
        install_crds(plane, *crd_files(Path(folder)))
        _fill(api)
        with WebhookProcess(Path(folder, "bare")) as bare:
            _wait_until_ready(bare)
            _line("without a cluster", usage(bare.process.pid))
        began = time.monotonic()
        with WebhookProcess(Path(folder, "live"), "--live", "--kubeconfig", str(plane.kubeconfig)) as webhook:
            _wait_until_ready(webhook)
            synced = usage(webhook.process.pid)
            _line(f"first sync, {time.monotonic() - began:.1f} s after the start", synced)
            _churn(api)
            changed = usage(webhook.process.pid)
            _line(f"after {_CHURN_SECONDS} s of {CHANGES} changed nodes a second", changed)
            print(f"    of one CPU: {(changed.cpu - synced.cpu) / _CHURN_SECONDS:.2%}")
            _through(api, Cluster(plane, Path(folder, "live"), webhook))
            _line("after these writes", usage(webhook.process.pid))


def _through(api: Api, cluster: Cluster) -> None:
    """The time that the two calls add to a write: writes alternate between a namespace that is judged and one that isn't."""
    for namespace in (_JUDGED, _LEFT_ALONE):
        api.must("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
        api.must("POST", _collection(_named(service_table.MODEL, namespace)), _named(service_table.MODEL, namespace))
    left_alone = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": [_LEFT_ALONE]}
    with cluster.connections:
        cluster.register(namespaceSelector={"matchExpressions": [left_alone]})
    print(f"  {'added to a write by both calls, one at a time':44}{'without':>10}{'p50':>10}{'p90':>10}")
    for obj in (service_table.SERVICE, service_table.MODEL):
        taken: dict[str, list[float]] = {_JUDGED: [], _LEFT_ALONE: []}
        for number in range(_WRITES + _WARM):
            for namespace, times in taken.items():
                sent = _named(obj, namespace, f"sent-{number}")
                began = time.perf_counter()
                api.must("POST", f"{_collection(sent)}?dryRun=All", sent)
                times.append(time.perf_counter() - began)
        without, judged = (sorted(times[_WARM:]) for times in (taken[_LEFT_ALONE], taken[_JUDGED]))
        added = "".join(f"{(judged[int(share * _WRITES)] - without[int(share * _WRITES)]) * 1e3:7.1f} ms" for share in (0.5, 0.9))
        print(f"    {obj['kind']:42}{without[_WRITES // 2] * 1e3:7.1f} ms{added}")


def _named(obj: JSONObject, namespace: str, name: str = "") -> JSONObject:
    return {**obj, "metadata": {"name": name or obj["metadata"]["name"], "namespace": namespace}}


def _line(name: str, used: Usage) -> None:
    print(f"  {name:44}{used.cpu:7.2f} s CPU {used.resident:7.0f} MiB {used.peak:7.0f} MiB at most")


def _wait_until_ready(webhook: WebhookProcess) -> None:
    while not ready(webhook):
        if webhook.process.poll() is not None:
            raise RuntimeError(webhook.log.read_text())
        time.sleep(0.05)


def _reported(index: int) -> JSONObject:
    """A node with what a kubelet reports as well: its images, which are most of its size."""
    node = a_node(index)
    names = [f"registry.example.com/team-{index % 7}/image-{at}" for at in range(_IMAGES)]
    images = [
        {"names": [f"{name}@sha256:{hash(name) % 2**64:064x}", f"{name}:v1.{at}"], "sizeBytes": 10**8 + at} for at, name in enumerate(names)
    ]
    return {**node, "status": {**node["status"], "images": images}}


def _fill(api: Api) -> None:
    for namespace in sorted({namespace_of(obj) for obj in objects()} - {""}):
        api.must("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    api.each(lambda index: api.must("POST", "/api/v1/nodes", _reported(index)), range(NODES))
    api.each(lambda obj: api.must("POST", _collection(obj), obj), objects())


def _collection(obj: JSONObject) -> str:
    version, kind = str(obj["apiVersion"]), str(obj["kind"])
    plurals = {known.gvk.kind: known.plural for family in families() for known in family.kinds}
    plural = plurals.get(kind) or plural_of(kind)
    prefix = f"/apis/{version}" if "/" in version else f"/api/{version}"
    return f"{prefix}/namespaces/{namespace_of(obj)}/{plural}" if namespace_of(obj) else f"{prefix}/{plural}"


def _churn(api: Api) -> None:
    """Change a number of nodes per second, as evenly as one thread can."""
    began = time.monotonic()
    for turn in range(_CHURN_SECONDS * CHANGES):
        time.sleep(max(0.0, began + turn / CHANGES - time.monotonic()))
        name = name_of(a_node(turn * 37 % NODES))
        patch = {"status": {"allocatable": {"pods": str(100 + turn % 2)}}}
        api.must("PATCH", f"/api/v1/nodes/{name}/status", patch, content_type=MERGE_PATCH)
