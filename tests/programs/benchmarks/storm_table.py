"""A storm: thousands of writes of one kind at once, as when GitOps applies everything, each of which calls both webhooks over TLS.

The cluster has 5,000 nodes and 2,000 objects. By default kube-apiserver has 200 writes in flight, and here one replica gets all. The wait
of a call shows the queue. The longest turn of the event loop, in CPU time, shows how long the server does nothing else.
"""

from __future__ import annotations

import asyncio
import copy
import json
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tests.programs.benchmarks import aim_table, ome_objects, service_table
from tests.programs.benchmarks.callers import call_for_each
from tests.programs.benchmarks.cluster_table import snapshot
from tests.programs.benchmarks.processes import usage
from tests.programs.benchmarks.watched_server import TURN
from tests.webhook.reviews import envelope
from tests.webhook.serving import started
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.webhook.inputs.bundled import bundled_crds

_WRITES: Final = 5000
#: kube-apiserver's `--max-mutating-requests-inflight`.
_IN_FLIGHT: Final = 200
_PATHS: Final = ("/mutate?timeout=10s", "/validate?timeout=10s")


def main() -> None:
    """Print the table."""
    document = snapshot()
    model, runtime = ome_objects.model(0), ome_objects.runtime(0)
    document["items"] += [*bundled_crds(), service_table.MODEL, *aim_table.stored("g", 0), model, runtime]
    print(f"{_WRITES:,} writes at once, each judged by both webhooks; {_IN_FLIGHT} in flight, 5,000 nodes and 2,000 objects")
    print(f"  {'':26} {'a second':>8} {'CPU each':>9} {'p50':>9} {'p99':>9} {'longest':>9} {'away':>5} {'turn':>9} {'after it':>9}")
    with tempfile.TemporaryDirectory() as folder:
        cluster = Path(folder, "cluster.json")
        cluster.write_text(json.dumps(document))
        for name, (plural, one) in _KINDS.items():
            _line(Path(folder, name), cluster, name, [review(one, plural, number) for number in range(_WRITES)])


_KINDS: Final[dict[str, tuple[str, Callable[[], JSONObject]]]] = {
    "LLMKube InferenceService": ("inferenceservices", lambda: service_table.SERVICE),
    "LLMKube Model": ("models", lambda: service_table.MODEL),
    "AIMService": ("aimservices", lambda: aim_table.service(0)),
    "OME InferenceService": ("inferenceservices", lambda: ome_objects.service(0)),
}


def _line(folder: Path, cluster: Path, name: str, reviews: Sequence[bytes]) -> None:
    folder.mkdir()
    command = (sys.executable, "-m", "tests.programs.benchmarks.watched_server", str(folder), str(cluster))
    with started(folder, command) as server:
        asyncio.run(call_for_each(server.port, server.trust(), reviews[:_IN_FLIGHT], _PATHS, connections=4))
        server.send(signal.SIGUSR1)
        before = usage(server.process.pid)
        storm = asyncio.run(call_for_each(server.port, server.trust(), reviews, _PATHS, connections=_IN_FLIGHT))
        after = usage(server.process.pid)
        server.process.terminate()
        server.wait()
    turn = float(Path(folder, TURN).read_text())
    cpu = (after.cpu - before.cpu) / len(reviews)
    times = "".join(f"{storm.latencies.quantile(share) * 1e3:7.0f} ms" for share in (0.5, 0.99, 1.0))
    rate, away = len(reviews) / storm.seconds, storm.turned_away
    print(f"  {name:26}{rate:9.0f}{cpu * 1e3:7.2f} ms{times}{away:6}{turn * 1e3:7.0f} ms{after.resident:6.0f} MiB", flush=True)


def review(of: Callable[[], JSONObject], plural: str, number: int) -> bytes:
    """The review of an object's creation with a number in its name."""
    obj = copy.deepcopy(of())
    metadata = {key: value for key, value in obj["metadata"].items() if key not in ("uid", "creationTimestamp")}
    obj["metadata"] = metadata | {"name": f"{metadata['name']}-{number}"}
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    kind = {"group": gvk.group, "version": gvk.version}
    return envelope(
        {
            "uid": f"5f1c1d3e-0000-4000-8000-{number:012}",
            "kind": {**kind, "kind": gvk.kind},
            "resource": {**kind, "resource": plural},
            "name": obj["metadata"]["name"],
            "namespace": metadata["namespace"],
            "operation": "CREATE",
            "userInfo": {"username": "anna", "groups": ["system:authenticated"]},
            "object": obj,
            "oldObject": None,
            "dryRun": False,
            "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1", "fieldValidation": "Strict"},
        }
    )
