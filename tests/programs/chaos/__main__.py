"""`make chaos`: causes one incident after the other under load, and prints a table of lost requests and times of recovery.

Exit code 1: a request was answered wrongly, or lost in an incident in which none may be lost. 2: it couldn't begin or go on.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from tests.e2e.conftest import crd_files
from tests.e2e.network import Network
from tests.programs.chaos.clock import LIBRARY, Clock
from tests.programs.chaos.incidents import INCIDENTS, Incident, Scene
from tests.programs.control_plane.build import Assets, AssetsError, find_assets
from tests.programs.control_plane.crds import install_crds
from tests.programs.control_plane.fixtures import BUILD_COMMAND
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.soak.api import APIClient
from tests.programs.soak.deployment import Deployment
from tests.programs.soak.replicas import SoakError
from tests.programs.soak.rotation import Rotation
from tests.programs.soak.run import Options, Outcome, soak
from tests.programs.soak.tally import quantile

#: Longer than any incident; the load ends with it.
_MOST_SECONDS = 900.0


def main() -> int:
    """Cause the incidents, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.programs.chaos", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rate", type=float, default=50.0, help="requests a second (%(default)s)")
    parser.add_argument("--only", default="", help="incidents whose names hold this text")
    options = parser.parse_args()
    failed = False
    try:
        assets = _assets()
        print("| what happens | requests | lost | wrong | p99 | memory of the replica that stays | what was seen |\n|" + "---|" * 7)
        for incident in INCIDENTS:
            if options.only not in incident.name:
                continue
            if incident.sets_clock and not LIBRARY.exists():
                print(f"| {incident.name} | not run: it needs Debian's package libfaketime" + " |" * 6)
            else:
                failed |= _happens(assets, incident, options.rate)
    except (AssetsError, SoakError) as error:
        print(f"chaos: {error}", file=sys.stderr)
        return 2
    return int(failed)


def _assets() -> Assets:
    assets = find_assets()
    if assets is None:
        raise SoakError(f"etcd and kube-apiserver aren't built; build them with: {BUILD_COMMAND}")
    return assets


def _happens(assets: Assets, incident: Incident, rate: float) -> bool:
    """Cause one incident on a new control plane, and print its row. Returns whether something is wrong."""
    with (
        ControlPlane(assets) as plane,
        tempfile.TemporaryDirectory(prefix="weighbridge-chaos-") as directory,
        Network(urlsplit(plane.server).port or 443) as network,
    ):
        install_crds(plane, *crd_files(Path(directory)))
        kubeconfig = Path(directory) / "kubeconfig"
        kubeconfig.write_text(plane.kubeconfig.read_text().replace(plane.server, f"https://127.0.0.1:{network.port}"))
        clock = Clock(Path(directory))
        scenes: list[Scene] = []

        async def act(deployment: Deployment, api: APIClient, rotation: Rotation) -> None:
            scenes.append(Scene(plane, network, deployment, api, rotation, clock, time.monotonic()))
            await incident.act(scenes[0])

        environ = clock.environ() if incident.sets_clock else {}
        options = Options(
            _MOST_SECONDS, rate, 2, 0, 0, 0, drain=3.0, delay=0.5, settle=2.0, incident=act, kubeconfig=kubeconfig, environ=environ
        )
        outcome = soak(plane, Path(directory), options)
    print(_row(incident, outcome, scenes[0]), flush=True)
    return bool(outcome.tally.wrong or (outcome.tally.lost and not incident.may_lose))


def _row(incident: Incident, outcome: Outcome, scene: Scene) -> str:
    tally, memory = outcome.tally, outcome.steady
    seen = list(scene.found)
    if tally.lost_at:
        seen.append(f"the last one was lost {max(tally.lost_at) - scene.began:.1f} s after it began")
        seen += [f"{count} x {cause}" for cause, count in tally.failures.most_common(3)]
    seen += [f"{count} x wrong: {cause}" for cause, count in tally.wrong.most_common(3)]
    p99 = f"{quantile(tally.seconds, 0.99) * 1e3:.0f} ms"
    grown = f"{memory.start:.0f} to {memory.end:.0f} MiB"
    return f"| {incident.name} | {tally.requests:,} | {tally.lost.total()} | {tally.wrong.total()} | {p99} | {grown} | {'; '.join(seen)} |"


if __name__ == "__main__":
    sys.exit(main())
