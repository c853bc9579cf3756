"""The webhook's server, whose facts and configuration can be replaced while it runs, so that hundreds of cases need only one process.

``python -m tests.e2e.turning_server DIRECTORY`` reads one JSON object a line from standard input: the paths `cluster` and `config` and the
objects `beside` the judged one, or `open: true` for a webhook that accepts everything unchanged, so that any object can be stored. Each
line gets a line as its answer.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.programs.control_plane.build import RELEASE_VARIABLE
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.verdict import engine
from weighbridge.webhook.inputs.facts import load_configuration, load_facts
from weighbridge.webhook.server.certificates import ServingCertificate, bring_self_signed_up_to_date
from weighbridge.webhook.server.metrics import Metrics
from weighbridge.webhook.server.process import Listeners, run
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings
from weighbridge.webhook.texts.logs import LogLevel, configure


def _allowed(*_: object, **__: object) -> Decision:
    return Decision(allowed=True, code=201)


def _turn(service: Service, wanted: dict[str, Any]) -> None:
    """Serve with the wanted facts and configuration from now on."""
    service.decide = _allowed if wanted.get("open") else engine.decide
    service.config = load_configuration(wanted["config"]) if wanted.get("config") else DEFAULT
    cluster = [wanted["cluster"]] if wanted.get("cluster") else []
    # It judges by the release of the server that calls it.
    kubernetes = os.environ.get(RELEASE_VARIABLE, "")
    service.facts = load_facts(cluster, given=wanted.get("beside", ()), config=service.config, kubernetes=kubernetes)


async def _listen(service: Service) -> None:
    """Change the service with each line of the input, until it ends."""
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        _turn(service, json.loads(line))
        print("{}", flush=True)
    await asyncio.Event().wait()


def main() -> int:
    """Serve."""
    directory = Path(sys.argv[1])
    settings = ServerSettings(host="127.0.0.1", port=0, health_port=0, cert_dir=directory, drain_seconds=0)
    configure(LogLevel.INFO)
    bring_self_signed_up_to_date(directory, ["127.0.0.1"], datetime.now(UTC))
    metrics = Metrics()
    certificate = ServingCertificate(directory, metrics, None)
    service = Service(settings, load_facts(), DEFAULT, metrics=metrics)
    return run(service, Listeners.bind(settings), certificate.context, [lambda: _listen(service)])


if __name__ == "__main__":
    sys.exit(main())
