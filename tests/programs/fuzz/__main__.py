"""`make fuzz`: sends a million requests that no client should send, and prints a table of the answers.

Exit code 1: the answer to a request was a failure of the server, the server logged an error, or it no longer judged a good call. Each such
request is written to a file, so that it can be sent again.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from tests.programs.fuzz.client import STATUSES, statuses_of
from tests.programs.fuzz.requests import KINDS
from tests.programs.soak.hostile import Target
from tests.webhook.reviews import UID, review
from tests.webhook.serving import Server, serving

_BATCH = 2000


def main() -> int:
    """Send the requests, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.programs.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=1_000_000, help="requests in all (%(default)s)")
    parser.add_argument("--at-a-time", type=int, default=100, help="connections at once (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the same requests again (%(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="weighbridge-fuzz-") as directory, serving(Path(directory)) as server:
        return _fuzz(server, options.count, options.at_a_time, options.seed)


def _fuzz(server: Server, count: int, at_a_time: int, seed: int) -> int:
    random = Random(seed)
    target = Target(server.port, server.trust(), server.health)
    answered: Counter[int] = Counter()
    bad: list[tuple[bytes, int]] = []
    before = _resident(server)
    for sent in range(0, count, _BATCH):
        requests = [random.choice(KINDS)(random) for _ in range(min(_BATCH, count - sent))]
        found = asyncio.run(statuses_of(target, requests, at_a_time))
        answered.update(status for _, status in found)
        bad += [one for one in found if one[1] not in STATUSES]
        status, answer = server.call(review())
        if (status, answer["response"]["uid"]) != (200, UID):
            bad.append((review(), status))
            break
        if sent // _BATCH % 25 == 0:
            print(
                f"  {sent + len(requests):>9,} sent, {sum(answered.values()):>9,} answers, {len(bad)} bad, {_resident(server):.0f} MiB",
                flush=True,
            )
    errors = [line for line in server.lines if line["level"] == "error" or "traceback" in line]
    for status, times in sorted(answered.items()):
        print(f"  answered {status or 'otherwise':>9}  {times:>9,}")
    print(f"  errors logged       {len(errors):>9,}")
    print(f"  memory              {before:.0f} MiB before, {_resident(server):.0f} MiB after")
    _keep(bad)
    return int(bool(bad or errors))


def _resident(server: Server) -> float:
    """The server's memory in MiB."""
    (line,) = (line for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def _keep(bad: list[tuple[bytes, int]]) -> None:
    if not bad:
        return
    place = Path(tempfile.mkdtemp(prefix="weighbridge-fuzz-found-"))
    for number, (data, status) in enumerate(bad):
        (place / f"{number:04}-{status}").write_bytes(data)
    print(f"  the requests that were answered badly are in {place}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
