"""The shared state of one server process: the published facts and configuration, and whether it can take calls.

Facts and configuration are each replaced by one assignment, and a call uses those of the moment when it is decided. The server isn't ready
while it waits for anything that judging needs; draining and faults also make it unready, but calls are still answered.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Protocol

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict import engine
from weighbridge.policies.verdict.engine import Phase
from weighbridge.policies.verdict.remembered import Verdicts
from weighbridge.webhook.inputs.facts import reconfigured
from weighbridge.webhook.server.bodies import Bodies
from weighbridge.webhook.server.long_reviews.copies import Copies
from weighbridge.webhook.server.long_reviews.memory import allowed_memory
from weighbridge.webhook.server.long_reviews.turns import Turns
from weighbridge.webhook.server.metrics import Metrics
from weighbridge.webhook.server.settings import ServerSettings
from weighbridge.webhook.server.tracing import NoTracing, Tracing


class Decide(Protocol):
    """The signature of the engine's entry point."""

    def __call__(
        self, request: Request, facts: Facts, config: Configuration, phase: Phase = ..., *, expired: Callable[[], bool] = ...
    ) -> Decision:
        """The verdict on a request."""
        ...


class Readiness:
    """Whether calls can be judged and should come here, if not, why; and whether the server is about to end.

    The health server reads this in another thread than the one that changes it, so the reasons are read from a copy.
    """

    def __init__(self) -> None:
        self._awaited: dict[str, str] = {}
        self._faults: dict[str, str] = {}
        self.draining = False

    def hold(self, what: str, reason: str) -> None:
        """Turn calls away until `what` is released."""
        self._awaited[what] = reason

    def release(self, what: str) -> None:
        """Stop waiting for `what`, which is there."""
        self._awaited.pop(what, None)

    def fail(self, what: str, reason: str) -> None:
        """Report not ready until `what` is mended, so that new calls go to other replicas; calls that still come are answered."""
        self._faults[what] = reason

    def mend(self, what: str) -> None:
        """Record that `what` is good again."""
        self._faults.pop(what, None)

    @property
    def awaited(self) -> str:
        """What the server waits for, in words; empty if calls can be judged."""
        # Every call asks this twice, and usually the answer is empty.
        return ", ".join(f"{what}: {reason}" for what, reason in self._awaited.copy().items()) if self._awaited else ""

    @property
    def reasons(self) -> list[str]:
        """The reasons why no new calls should come here; empty if they should."""
        named = [f"{what}: {reason}" for what, reason in (*self._awaited.copy().items(), *self._faults.copy().items())]
        return [*named, "draining"] if self.draining else named


@dataclass(slots=True)
class Service:
    """The parts that the doors of one process share; `live`, if a cluster is followed, gives the current facts.

    `clock` measures durations, and `now` gives the time of day.

    `reconfigure` passes a new configuration to the tasks that follow the cluster.
    """

    settings: ServerSettings
    facts: Facts
    config: Configuration
    live: Callable[[], Facts] | None = None
    reconfigure: Callable[[Configuration], None] | None = None
    metrics: Metrics = field(default_factory=Metrics)
    readiness: Readiness = field(default_factory=Readiness)
    tracing: Tracing = field(default_factory=NoTracing)
    decide: Decide = engine.decide
    verdicts: Verdicts = field(default_factory=Verdicts)
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = partial(datetime.now, UTC)
    #: The kinds, with their groups, of which an object was judged before the first call.
    warm: set[tuple[str, str]] = field(default_factory=set)
    in_flight: int = 0
    bodies: Bodies = field(init=False)
    turns: Turns = field(default_factory=Turns)
    copies: Copies = field(default_factory=lambda: Copies(allowed_memory()))
    #: When the loop that judges last showed that it is alive, by the clock; `None` before it runs.
    last_turn: float | None = None

    def __post_init__(self) -> None:
        self.bodies = Bodies(self.settings.concurrency, self.settings.max_body)

    def put_in_force(self, config: Configuration) -> None:
        """Use this configuration from now on, and the bundled CRDs of the versions that it names."""
        self.config = config
        self.facts = replace(self.facts, definitions=reconfigured(self.facts.definitions, config))
        if self.reconfigure is not None:
            self.reconfigure(config)

    def facts_now(self) -> Facts:
        """The facts for deciding a call."""
        return self.facts if self.live is None else self.live()
