"""The webhook under load: an InferenceService whose Model is known, in a cluster of 5,000 nodes, 200 reviews a second over TLS.

Beside it the same server with a handler that decides nothing. The server's CPU time is what the system counts for its process.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from policies.objects import JSONObject
from tests.benchmarks.callers import Latencies, call_steadily
from tests.benchmarks.cluster_table import snapshot
from tests.benchmarks.service_table import MODEL, SERVICE
from tests.webhook.reviews import envelope
from tests.webhook.serving import Server, serving, started

_RATE: Final = 200.0
_CALLS: Final = 3000
_WARM: Final = 200
_TICKS: Final = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the table."""
    body = envelope(_request())
    with tempfile.TemporaryDirectory() as directory:
        cluster = Path(directory) / "cluster.json"
        document = snapshot()
        document["items"].append(MODEL)
        cluster.write_text(json.dumps(document))
        own, other = Path(directory) / "own", Path(directory) / "other"
        other.mkdir()
        bare = _measured(started(other, (sys.executable, "-m", "tests.benchmarks.bare_server", str(other))), body)
        ours = _measured(serving(own, ("--log-level", "info", "--cluster", str(cluster))), body)
    print(f"{_RATE:.0f} reviews a second of one InferenceService over TLS, 5,000 nodes")
    print(f"  {'':24} {'p50':>9} {'p99':>9} {'CPU a call':>12}")
    for name, (latencies, cpu) in {"decides nothing": bare, "weighbridge serve": ours}.items():
        fast, slow = latencies.quantile(0.5) * 1e3, latencies.quantile(0.99) * 1e3
        print(f"  {name:24} {fast:6.2f} ms {slow:6.2f} ms {cpu * 1e3:9.3f} ms  {cpu / bare[1]:5.2f} x")


def _measured(server: AbstractContextManager[Server], body: bytes) -> tuple[Latencies, float]:
    """The latencies, and the seconds of CPU that the server spent on one call."""
    with server as running:
        asyncio.run(call_steadily(running.port, running.trust(), body, rate=_RATE, calls=_WARM))
        before = _cpu(running)
        latencies = asyncio.run(call_steadily(running.port, running.trust(), body, rate=_RATE, calls=_CALLS))
        return latencies, (_cpu(running) - before) / _CALLS


def _cpu(server: Server) -> float:
    """The seconds of CPU that the server's process has used so far."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _request() -> JSONObject:
    gvr = {"group": "inference.llmkube.dev", "version": "v1alpha1"}
    return {
        "uid": "5f1c1d3e-0000-4000-8000-000000000002",
        "kind": {**gvr, "kind": "InferenceService"},
        "resource": {**gvr, "resource": "inferenceservices"},
        "name": SERVICE["metadata"]["name"],
        "namespace": SERVICE["metadata"]["namespace"],
        "operation": "CREATE",
        "userInfo": {"username": "anna", "groups": ["system:authenticated"]},
        "object": SERVICE,
        "oldObject": None,
        "dryRun": False,
        "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1", "fieldValidation": "Strict"},
    }
