"""``python -m tests.programs.type_checks.on_server [policies] [seed]``: compares the status that a real kube-controller-manager writes with
ours.

It runs only the controller that checks types, on a real kube-apiserver with all CRDs that ship, so that the kinds and their types are those
of a cluster. KUBE names the release. The controller is built once, which takes minutes.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.programs.control_plane.build import find_assets
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.control_plane.small_programs import build_program
from tests.programs.numbers import numbers
from tests.programs.policies.client import Client
from tests.programs.type_checks.comparison import Comparison
from tests.programs.type_checks.draw import Draw
from weighbridge.policies.admission_policies.acceptance import problems_of
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.server_release import judging, nearest

_SOURCE: Final = Path(__file__).parent / "controller_manager" / "main.go"
_POLICIES: Final = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
_CRDS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_FLAGS: Final = ("--controllers=validatingadmissionpolicy-status-controller", "--leader-elect=false", "--secure-port=0")
_PATIENCE: Final = 300
_SHOWN: Final = 20


@contextmanager
def _controller(program: Path, plane: ControlPlane) -> Iterator[None]:
    """The controller, while the block runs."""
    with plane.log("kube-controller-manager").open("wb") as log:
        command = [str(program), f"--kubeconfig={plane.kubeconfig}", *_FLAGS]
        with subprocess.Popen(command, stdout=log, stderr=log) as process:
            try:
                yield
            finally:
                process.kill()


def _define(client: Client, crds: list[JSONObject]) -> None:
    """Create the CRDs, and wait until the server publishes their schemas."""
    for crd in crds:
        client.must("POST", _CRDS, crd)
    wanted = {f"apis/{crd['spec']['group']}/{version['name']}" for crd in crds for version in crd["spec"]["versions"] if version["served"]}
    deadline = time.monotonic() + _PATIENCE
    for path in wanted:
        kinds = {crd["spec"]["names"]["kind"] for crd in crds if path.startswith(f"apis/{crd['spec']['group']}/") and _serves(crd, path)}
        while not kinds <= _published(client, path):
            if time.monotonic() > deadline:
                raise TimeoutError(path)
            time.sleep(0.5)


def _serves(crd: JSONObject, path: str) -> bool:
    return any(version["served"] and path.endswith(f"/{version['name']}") for version in crd["spec"]["versions"])


def _published(client: Client, path: str) -> set[str]:
    schemas = client.send("GET", f"/openapi/v3/{path}").body.get("components", {}).get("schemas", {})
    return {meant["kind"] for schema in schemas.values() for meant in schema.get("x-kubernetes-group-version-kind", ())}


def _statuses(client: Client, count: int) -> dict[str, JSONObject]:
    """The status of each policy once the controller has seen all."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        found = client.must("GET", _POLICIES)["items"]
        seen = {name_of(obj): obj["status"] for obj in found if obj.get("status", {}).get("observedGeneration")}
        if len(seen) == count:
            return seen
        if time.monotonic() > deadline:
            raise TimeoutError(f"{len(seen)} of {count} policies were checked")
        time.sleep(0.5)


def main(arguments: list[str]) -> int:
    """Print the differences; returns 1 if there are any."""
    count, seed = numbers(arguments, policies=200, seed=1)
    assets = find_assets()
    if assets is None:
        print("there is no kube-apiserver; build it with: make control-plane", file=sys.stderr)
        return 2
    program = build_program("kube-controller-manager", _SOURCE)
    with ControlPlane(assets) as plane, Client(plane) as client:
        release = nearest(client.must("GET", "/version")["gitVersion"])
        assert release is not None
        with judging(release):
            comparison = Comparison(program)
            _define(client, comparison.crds)
            draw = Draw(seed, comparison.kinds())
            drawn = (draw.policy(f"p{number}", is_stored=True) for number in range(count * 50))
            policies = [policy for policy in drawn if not problems_of(policy)][:count]
            for policy in policies:
                client.must("POST", _POLICIES, policy)
            with _controller(program, plane):
                statuses = _statuses(client, len(policies))
            for policy in policies:
                comparison.compare_one(policy, statuses[name_of(policy)].get("typeChecking", {}).get("expressionWarnings", []))
    for difference in comparison.tally.differences[:_SHOWN]:
        print(difference)
    print(f"{release.name}: {comparison.tally}")
    return 1 if comparison.tally.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
