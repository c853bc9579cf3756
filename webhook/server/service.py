"""What one server process serves with: the published facts and configuration, and whether it can take calls.

Facts and configuration are each replaced by one assignment, and a call uses those that were there when it was decided. What the server
waits for before it can judge holds the readiness; draining and faults end it while calls are still answered.
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
    """The engine's entry point, as the webhook calls it."""

    def __call__(
        self, request: Request, facts: Facts, config: Configuration, phase: Phase = ..., *, expired: Callable[[], bool] = ...
    ) -> Decision: ...


class Readiness:
    """Whether calls can be judged and should come here, and why not; and whether the server is about to end.

    Health is answered by another thread than the one that changes this, so the reasons are read from a copy.
    """

    def __init__(self) -> None:
        self._awaited: dict[str, str] = {}
        self._faults: dict[str, str] = {}
        self.draining = False

    def hold(self, what: str, reason: str) -> None:
        """Turn calls away until `what` is released."""
        self._awaited[what] = reason

    def release(self, what: str) -> None:
        """`what` is there."""
        self._awaited.pop(what, None)

    def fail(self, what: str, reason: str) -> None:
        """Send new calls elsewhere until `what` is mended; calls that come nevertheless are answered."""
        self._faults[what] = reason

    def mend(self, what: str) -> None:
        """`what` is good again."""
        self._faults.pop(what, None)

    @property
    def awaited(self) -> str:
        """What the server waits for, in words; empty when calls can be judged."""
        # Every call asks this twice, and most often there is nothing.
        return ", ".join(f"{what}: {reason}" for what, reason in self._awaited.copy().items()) if self._awaited else ""

    @property
    def reasons(self) -> list[str]:
        """Why no new calls should come here; empty when they should."""
        named = [f"{what}: {reason}" for what, reason in (*self._awaited.copy().items(), *self._faults.copy().items())]
        return [*named, "draining"] if self.draining else named


@dataclass(slots=True)
class Service:
    """The parts that the doors of one process share; `live`, where a cluster is followed, gives the facts of the moment.

    `clock` measures how long something takes, and `now` is the time of day.

    `reconfigure` passes another configuration on to what follows the cluster.
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
    #: The kinds, by group, of which an object was judged before calls came.
    warm: set[tuple[str, str]] = field(default_factory=set)
    in_flight: int = 0
    bodies: Bodies = field(init=False)
    turns: Turns = field(default_factory=Turns)
    copies: Copies = field(default_factory=lambda: Copies(allowed_memory()))
    #: When the loop that judges turned last, by the clock; `None` before it turns.
    last_turn: float | None = None

    def __post_init__(self) -> None:
        self.bodies = Bodies(self.settings.concurrency, self.settings.max_body)

    def put_in_force(self, config: Configuration) -> None:
        """Decide by this configuration from now on; the CRDs that ship are those of the versions that it names."""
        self.config = config
        self.facts = replace(self.facts, definitions=reconfigured(self.facts.definitions, config))
        if self.reconfigure is not None:
            self.reconfigure(config)

    def facts_now(self) -> Facts:
        """The facts that a call is decided by."""
        return self.facts if self.live is None else self.live()
