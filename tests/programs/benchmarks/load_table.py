"""The webhook under load: an InferenceService whose Model is known, in a cluster of 5,000 nodes, 200 reviews a second over TLS.

Compared with the same server with a handler that decides nothing. The server's CPU time is what the system counts for its process. At a
steady rate much of it goes into waking up for single calls; calls without a pause show what a call costs a busy server. The same object
comes again and again, as GitOps sends it; in the last column each call is about a new one.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.programs.benchmarks.callers import Latencies, call_for_each, call_steadily, call_without_pause
from tests.programs.benchmarks.cluster_table import snapshot
from tests.programs.benchmarks.service_table import MODEL, SERVICE
from tests.programs.benchmarks.storm_table import review
from tests.webhook.reviews import envelope
from tests.webhook.serving import Server, serving, started
from weighbridge.policies.ground.objects import JSONObject

_RATE: Final = 200.0
_CALLS: Final = 3000
_WARM: Final = 200
_BUSY_CALLS: Final = 6000
_BUSY_CONNECTIONS: Final = 4
_TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Load:
    """One server under load: its latencies, and its seconds of CPU for one call: at a steady rate, without a pause, and for new objects."""

    latencies: Latencies
    steady: float
    busy: float
    new: float


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
        bare = _measured(started(other, (sys.executable, "-m", "tests.programs.benchmarks.bare_server", str(other))), body)
        ours = _measured(serving(own, ("--log-level", "info", "--cluster", str(cluster))), body)
    print(f"{_RATE:.0f} reviews a second of one InferenceService over TLS, 5,000 nodes")
    busy = f"busy, {_BUSY_CONNECTIONS} connections"
    print(f"  {'':24} {'p50':>9} {'p99':>9} {'CPU a call':>12} {'':>8} {busy:>20} {'':>8} {'new objects':>20}")
    for name, load in {"decides nothing": bare, "weighbridge serve": ours}.items():
        fast, slow = load.latencies.quantile(0.5) * 1e3, load.latencies.quantile(0.99) * 1e3
        steady = f"{load.steady * 1e3:9.3f} ms {load.steady / bare.steady:6.2f} x"
        loads = "".join(f" {own * 1e3:17.3f} ms {own / other:6.2f} x" for own, other in ((load.busy, bare.busy), (load.new, bare.new)))
        print(f"  {name:24} {fast:6.2f} ms {slow:6.2f} ms {steady}{loads}")


def _measured(server: AbstractContextManager[Server], body: bytes) -> Load:
    with server as running:
        port, trust = running.port, running.trust()
        asyncio.run(call_steadily(port, trust, body, rate=_RATE, calls=_WARM))
        start = _cpu(running)
        latencies = asyncio.run(call_steadily(port, trust, body, rate=_RATE, calls=_CALLS))
        between = _cpu(running)
        asyncio.run(call_without_pause(port, trust, body, calls=_BUSY_CALLS, connections=_BUSY_CONNECTIONS))
        busy = _cpu(running)
        new = [review(lambda: SERVICE, "inferenceservices", number) for number in range(_BUSY_CALLS)]
        asyncio.run(call_for_each(port, trust, new, ["/validate?timeout=3s"], connections=_BUSY_CONNECTIONS))
        steady, again, each = (between - start) / _CALLS, (busy - between) / _BUSY_CALLS, (_cpu(running) - busy) / _BUSY_CALLS
        return Load(latencies, steady=steady, busy=again, new=each)


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
