"""`make soak`: runs an hour of load, replacements, rotations and hostile clients, and prints a table at the end.

Exit code 1: a request was lost or answered wrongly, or the memory of a replica grows. 2: the soak couldn't begin or go on.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from tests.e2e.conftest import crd_files
from tests.programs.control_plane.build import AssetsError, find_assets
from tests.programs.control_plane.crds import install_crds
from tests.programs.control_plane.fixtures import BUILD_COMMAND
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.soak.deployment import FEWEST_REPLICAS
from tests.programs.soak.replicas import SoakError
from tests.programs.soak.run import Options, Outcome, soak
from tests.programs.soak.table import table


def main() -> int:
    """Soak, and print the table."""
    options = _options()
    try:
        outcome = _soaked(options)
    except (AssetsError, SoakError) as error:
        print(f"soak: {error}", file=sys.stderr)
        return 2
    print(table(outcome), flush=True)
    return int(outcome.failed)


def _soaked(options: Options) -> Outcome:
    assets = find_assets()
    if assets is None:
        raise SoakError(f"etcd and kube-apiserver aren't built; build them with: {BUILD_COMMAND}")
    with ControlPlane(assets) as plane, tempfile.TemporaryDirectory(prefix="weighbridge-soak-") as directory:
        install_crds(plane, *crd_files(Path(directory)))
        return soak(plane, Path(directory), options, _say)


def _say(line: str) -> None:
    print(f"{datetime.now(UTC):%H:%M:%S} {line}", flush=True)


def _options() -> Options:
    default = Options()
    parser = argparse.ArgumentParser(
        prog="python -m tests.programs.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--seconds", type=_positive, default=default.seconds, help="how long (%(default)s)")
    length.add_argument("--minutes", type=_positive, help="how long, in minutes; 3 are a short form")
    parser.add_argument("--rate", type=_positive, default=default.rate, help="requests a second (%(default)s)")
    parser.add_argument("--replicas", type=int, default=default.replicas, help="at least 2; the first one stays (%(default)s)")
    parser.add_argument("--replace-every", type=_at_least_0, default=default.replace_every, help="seconds; 0: never (%(default)s)")
    parser.add_argument("--rotate-every", type=_at_least_0, help=f"seconds; 0: never ({default.rotate_every}, and a third of a short soak)")
    parser.add_argument("--hostile", type=_share, default=default.hostile, help="hostile connections, as a share of requests (%(default)s)")
    parser.add_argument("--drain", type=_at_least_0, default=default.drain, help="seconds for which a replica drains (%(default)s)")
    parser.add_argument("--delay", type=_at_least_0, default=default.delay, help="seconds until the Service follows (%(default)s)")
    parser.add_argument("--settle", type=_at_least_0, default=default.settle, help="seconds until all follow a registration (%(default)s)")
    parser.add_argument("--seed", type=int, default=default.seed, help="the same requests again (%(default)s)")
    given = vars(parser.parse_args())
    minutes = given.pop("minutes")
    seconds = given["seconds"] = minutes * 60 if minutes else given["seconds"]
    if given["rotate_every"] is None:
        given["rotate_every"] = min(default.rotate_every, seconds / 3)
    options = Options(**given)
    if options.replicas < FEWEST_REPLICAS:
        parser.error(f"--replicas {options.replicas}: at least {FEWEST_REPLICAS} are needed")
    return options


def _at_least_0(text: str) -> float:
    return _number(text, "at least 0", lambda number: 0 <= number < math.inf)


def _positive(text: str) -> float:
    return _number(text, "more than 0", lambda number: 0 < number < math.inf)


def _share(text: str) -> float:
    return _number(text, "from 0 to 1", lambda number: 0 <= number <= 1)


def _number(text: str, wanted: str, holds: Callable[[float], bool]) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not holds(number):
        raise argparse.ArgumentTypeError(f"{text}: a number is needed that is {wanted}")
    return number


if __name__ == "__main__":
    sys.exit(main())
