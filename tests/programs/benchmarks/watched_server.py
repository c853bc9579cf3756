"""The webhook's server on a cluster file, which counts how much time its loop takes for a turn.

``python -m tests.programs.benchmarks.watched_server DIRECTORY FILE`` serves until it is stopped, and then writes the longest turn, in
seconds, since the last SIGUSR1 into the file `turn` of the directory.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from weighbridge.policies.config import DEFAULT
from weighbridge.webhook.inputs.facts import load_facts
from weighbridge.webhook.server.certificates import ServingCertificate, bring_self_signed_up_to_date
from weighbridge.webhook.server.metrics import Metrics
from weighbridge.webhook.server.process import Listeners, run
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings
from weighbridge.webhook.texts.logs import LogLevel, configure

TURN: Final = "turn"
_BEAT_SECONDS: Final = 0.002


async def _watch(turns: list[float]) -> None:
    """Record the CPU time of the loop's thread between two wake-ups. The wall clock would also count other work on a busy machine."""
    # The first reviews of a kind compile the units that the next ones use.
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, turns.clear)
    while True:
        began = time.thread_time()
        await asyncio.sleep(_BEAT_SECONDS)
        turns.append(time.thread_time() - began)


def main() -> int:
    """Serve."""
    directory, cluster = Path(sys.argv[1]), sys.argv[2]
    settings = ServerSettings(host="127.0.0.1", port=0, health_port=0, cert_dir=directory, drain_seconds=0)
    configure(LogLevel.INFO)
    bring_self_signed_up_to_date(directory, ["127.0.0.1"], datetime.now(UTC))
    metrics = Metrics()
    certificate = ServingCertificate(directory, metrics, None)
    service = Service(settings, load_facts([cluster]), DEFAULT, metrics=metrics)
    turns: list[float] = []
    code = run(service, Listeners.bind(settings), certificate.context, [lambda: _watch(turns)])
    (directory / TURN).write_text(str(max(turns, default=0.0)))
    return code


if __name__ == "__main__":
    sys.exit(main())
