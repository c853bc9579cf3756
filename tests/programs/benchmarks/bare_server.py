"""The webhook's server with a handler that reads the review, decides nothing and answers: the cost of serving alone.

``python -m tests.programs.benchmarks.bare_server DIRECTORY`` serves until it is stopped, with a certificate that it makes in the directory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase
from weighbridge.policies.verdict.remembered import Verdicts, Work
from weighbridge.webhook.server.certificates import ServingCertificate, bring_self_signed_up_to_date
from weighbridge.webhook.server.metrics import Metrics
from weighbridge.webhook.server.process import Listeners, run
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings
from weighbridge.webhook.texts.logs import configure


def _allowed(*_: object, **__: object) -> Decision:
    return Decision(allowed=True, code=201)


class _NoVerdicts(Verdicts):
    """Remembers nothing, since there is nothing to decide."""

    def once(self, _: Request, facts: Facts, __: Configuration, ___: Phase, work_out: Work, ____: Callable[[], bool]) -> Decision:
        return work_out(facts)


def main() -> int:
    """Serve."""
    directory = Path(sys.argv[1])
    settings = ServerSettings(host="127.0.0.1", port=0, health_port=0, cert_dir=directory, drain_seconds=0)
    configure(settings.log_level)
    bring_self_signed_up_to_date(directory, ["127.0.0.1"], datetime.now(UTC))
    metrics = Metrics()
    certificate = ServingCertificate(directory, metrics, None)
    service = Service(settings, Facts(Definitions()), DEFAULT, metrics=metrics, decide=_allowed, verdicts=_NoVerdicts())
    return run(service, Listeners.bind(settings), certificate.context)


if __name__ == "__main__":
    sys.exit(main())
