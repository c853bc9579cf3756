"""The webhook's CPU for a review over TLS, compared with Gatekeeper's with one constraint, which asks for a label.

Needs an API server (``make control-plane``) and Gatekeeper's binary with its deploy/gatekeeper.yaml. From a checkout of
open-policy-agent/gatekeeper: ``go build -o gatekeeper .``, then
``GATEKEEPER=gatekeeper GATEKEEPER_MANIFEST=deploy/gatekeeper.yaml python -m tests.programs.benchmarks gatekeeper``.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import yaml

from tests.programs.benchmarks import aim_table, ome_objects, service_table
from tests.programs.benchmarks.callers import call_for_each
from tests.programs.benchmarks.cluster_table import snapshot
from tests.programs.benchmarks.processes import usage
from tests.programs.benchmarks.storm_table import review
from tests.programs.control_plane.build import find_assets
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.control_plane.processes import free_ports
from tests.webhook.serving import Server, serving, started
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.inputs.bundled import bundled_crds

_ROUNDS: Final = 5
_CALLS: Final = 2000
_CONNECTIONS: Final = 4
_SECONDS: Final = 60
_NAMESPACE: Final = "gatekeeper-system"
_KINDS: Final[Mapping[str, tuple[str, Callable[[], JSONObject]]]] = {
    "LLMKube InferenceService": ("inferenceservices", lambda: service_table.SERVICE),
    "AIMService": ("aimservices", lambda: aim_table.service(0)),
    "OME InferenceService": ("inferenceservices", lambda: ome_objects.service(0)),
}
_REGO: Final = """package teams
violation[{"msg": msg}] {
  missing := {label | label := input.parameters.labels[_]} - {label | input.review.object.metadata.labels[label]}
  count(missing) > 0
  msg := sprintf("you must provide labels: %v", [missing])
}"""
_TEMPLATE: Final[JSONObject] = {
    "apiVersion": "templates.gatekeeper.sh/v1",
    "kind": "ConstraintTemplate",
    "metadata": {"name": "teams"},
    "spec": {
        "crd": {
            "spec": {
                "names": {"kind": "Teams"},
                "validation": {
                    "openAPIV3Schema": {"type": "object", "properties": {"labels": {"type": "array", "items": {"type": "string"}}}}
                },
            }
        },
        "targets": [{"target": "admission.k8s.gatekeeper.sh", "rego": _REGO}],
    },
}
_CONSTRAINT: Final[JSONObject] = {
    "apiVersion": "constraints.gatekeeper.sh/v1beta1",
    "kind": "Teams",
    "metadata": {"name": "teams"},
    "spec": {
        "match": {"kinds": [{"apiGroups": ["*"], "kinds": ["InferenceService", "AIMService"]}]},
        "parameters": {"labels": ["team"]},
    },
}
#: Gatekeeper looks for its own pod, which nothing has to run.
_POD: Final[JSONObject] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "gatekeeper", "namespace": _NAMESPACE},
    "spec": {"automountServiceAccountToken": False, "containers": [{"name": "manager", "image": "gatekeeper"}]},
}


def main() -> None:
    """Print the table."""
    assets, binary, manifest = find_assets(), os.environ.get("GATEKEEPER"), os.environ.get("GATEKEEPER_MANIFEST")
    if assets is None or not binary or not manifest:
        print("The comparison with Gatekeeper: not measured, it needs an API server, GATEKEEPER and GATEKEEPER_MANIFEST")
        return
    document = snapshot()
    document["items"] += [*bundled_crds(), service_table.MODEL, *aim_table.stored("g", 0), ome_objects.model(0), ome_objects.runtime(0)]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster, other = Path(folder, "cluster.json"), Path(folder, "bare")
        cluster.write_text(json.dumps(document))
        other.mkdir()
        bare = stack.enter_context(started(other, (sys.executable, "-m", "tests.programs.benchmarks.bare_server", str(other))))
        ours = stack.enter_context(serving(Path(folder, "own"), ("--log-level", "info", "--cluster", str(cluster))))
        plane = stack.enter_context(ControlPlane(assets))
        port, process = stack.enter_context(_gatekeeper(plane, binary, Path(manifest), other, Path(folder, "gatekeeper")))
        _wait_until_it_refuses(bare, port)
        _print(bare, ours, port, process)


@contextmanager
def _gatekeeper(plane: ControlPlane, binary: str, manifest: Path, certificates: Path, folder: Path) -> Iterator[tuple[int, int]]:
    """Gatekeeper with one constraint: its port and its process."""
    wanted = [found for found in yaml.safe_load_all(manifest.read_text()) if found["kind"] in {"Namespace", "CustomResourceDefinition"}]
    _apply(plane, *wanted)
    plane.kubectl("label", "--overwrite", "namespace", _NAMESPACE, "pod-security.kubernetes.io/enforce=privileged", check=True)
    for namespace in (_NAMESPACE, "serving"):
        plane.kubectl("create", "namespace", namespace)
    plane.kubectl("create", "serviceaccount", "default", "-n", _NAMESPACE)
    _apply(plane, _POD)
    shutil.copytree(certificates, folder)
    port, health, metrics = free_ports(3)
    command = [binary, "--operation=webhook", "--operation=status", f"--port={port}", "--host=127.0.0.1", f"--cert-dir={folder}"]
    command += ["--disable-cert-rotation", f"--kubeconfig={plane.kubeconfig}", f"--health-addr=127.0.0.1:{health}"]
    command += [f"--prometheus-port={metrics}", "--log-level=WARNING"]
    own = {"POD_NAME": "gatekeeper", "POD_NAMESPACE": _NAMESPACE, "NAMESPACE": _NAMESPACE, "CONTAINER_NAME": "manager"}
    with subprocess.Popen(command, env=os.environ | own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _apply(plane, _TEMPLATE)
            for _ in range(_SECONDS):
                if plane.kubectl("apply", "-f", "-", input=json.dumps(_CONSTRAINT)).returncode == 0:
                    break
                time.sleep(1)
            yield port, process.pid
        finally:
            process.kill()


def _apply(plane: ControlPlane, *objects: JSONObject) -> None:
    plane.kubectl("apply", "--server-side", "-f", "-", input="\n---\n".join(map(json.dumps, objects)), check=True)


def _wait_until_it_refuses(trusted: Server, port: int) -> None:
    """Wait until the constraint holds: an object without the label is refused."""
    plural, of = _KINDS["AIMService"]
    unlabelled = [review(lambda: {**of(), "metadata": {**of()["metadata"], "labels": {}}}, plural, 0)]
    for _ in range(_SECONDS):
        refused = False
        try:
            asyncio.run(call_for_each(port, trusted.trust(), unlabelled, ["/v1/admit?timeout=3s"], connections=1))
        except* AssertionError:
            refused = True
        except* OSError:
            pass
        if refused:
            return
        time.sleep(1)
    raise AssertionError("Gatekeeper refuses nothing")


def _print(bare: Server, ours: Server, port: int, process: int) -> None:
    print("CPU of a review over TLS, compared with Gatekeeper with one constraint; 5,000 nodes, 2,000 objects; µs and ratios")
    print(f"  {'':26}{'Gatekeeper':>12}{'no decision':>18}{'validate again':>18}{'validate':>18}{'mutate again':>18}{'mutate':>18}")
    number = 0
    for name, (plural, of) in _KINDS.items():
        taken: list[list[float]] = []
        for _ in range(_ROUNDS + 1):
            new = [review(_labelled(of), plural, number + at) for at in range(_CALLS)]
            number += _CALLS
            same = new[:1] * _CALLS
            taken.append(
                [
                    _cpu(process, port, bare, same, "/v1/admit"),
                    *(_cpu(bare.process.pid, bare.port, bare, same, "/validate"),),
                    *(_cpu(ours.process.pid, ours.port, ours, bodies, path) for path in ("/validate", "/mutate") for bodies in (same, new)),
                ]
            )
        gatekeeper, *others = map(statistics.median, zip(*taken[1:], strict=True))
        cells = "".join(f"{other:9.0f} {other / gatekeeper:6.2f} x" for other in others)
        print(f"  {name:26}{gatekeeper:12.0f}{cells}", flush=True)


def _labelled(of: Callable[[], JSONObject]) -> Callable[[], JSONObject]:
    return lambda: {**of(), "metadata": {**of()["metadata"], "labels": {"team": "research"}}}


def _cpu(process: int, port: int, trusted: Server, bodies: Sequence[bytes], path: str) -> float:
    """The process' CPU for a call, in µs."""
    before = usage(process).cpu
    asyncio.run(call_for_each(port, trusted.trust(), bodies, [f"{path}?timeout=10s"], connections=_CONNECTIONS))
    return (usage(process).cpu - before) / len(bodies) * 1e6
