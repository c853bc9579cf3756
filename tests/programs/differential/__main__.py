"""`make differential`: sends thousands of requests to a real kube-apiserver and to the engine, whose answers must be the same.

Exit code 0: they were. 1: an answer differed. 2: there is nothing to run.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.programs.control_plane.build import AssetsError, find_assets
from tests.programs.control_plane.fixtures import BUILD_COMMAND
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.connection import Connections
from tests.programs.differential.report import examples, summary
from tests.programs.differential.resources import Crd, corpus_crds, own_crds
from tests.programs.differential.run import Result, Scene, run, set_up

CORPUS = Path(__file__).resolve().parents[4] / "shared" / "corpus"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.programs.differential", description="Compare the engine with a real kube-apiserver."
    )
    parser.add_argument("--requests", type=int, default=20_000, metavar="N", help="how many to send (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what to draw them from (default: %(default)s)")
    parser.add_argument("--only", action="append", default=[], metavar="CRD", help="only CRDs whose name contains this; may be repeated")
    return parser.parse_args(arguments)


def chosen(only: Sequence[str]) -> list[Crd]:
    """Our own CRDs and, if they are there, those of the five systems; all of them or the chosen ones."""
    crds = own_crds() + (corpus_crds(CORPUS) if CORPUS.is_dir() else [])
    return [crd for crd in crds if not only or any(part in crd.name for part in only)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and report."""
    options = _options(arguments)
    crds = chosen(options.only)
    if not crds:
        print(f"no CRD's name contains {' or '.join(options.only)}", file=sys.stderr)
        return 2
    try:
        assets = find_assets()
    except AssetsError as error:
        print(error, file=sys.stderr)
        return 2
    if assets is None:
        print(f"etcd and kube-apiserver aren't built; build them (needs Go) with: {BUILD_COMMAND}", file=sys.stderr)
        return 2
    # A defect of the engine counts as an answer that differs; its traceback would bury the report.
    logging.getLogger("weighbridge.engine").setLevel(logging.CRITICAL)
    with ControlPlane(assets) as plane, Connections(plane) as connections:
        known = [crd for crd in crds if crd.is_for(connections.release())]
        scene = set_up(connections, known, seed=options.seed)
        return _run(scene, options.requests, options.seed)


def _run(scene: Scene, requests: int, seed: int) -> int:
    start = time.monotonic()

    def tell(result: Result) -> None:
        rate = result.requests / (time.monotonic() - start)
        print(f"{result.requests} sent, {len(result.differences)} differ, {rate:.0f} a second", file=sys.stderr, flush=True)

    result = run(scene, requests, seed, tell)
    print(f"seed {seed}\n")
    for line in [*summary(result), *examples(result.differences, scene.compare)]:
        print(line)
    return 1 if result.differences else 0


if __name__ == "__main__":
    sys.exit(main())
