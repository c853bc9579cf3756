"""Decides on requests as a door does, with a new request for each decision: a decision remembers results in its request and may fill in the
object.
"""

from __future__ import annotations

from dataclasses import replace

import orjson

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide


def judged(request: Request, facts: Facts, config: Configuration, phase: Phase = Phase.WHOLE) -> Decision:
    """The verdict on a copy of a request with an object of its own."""
    return decide(replace(request, object=orjson.loads(orjson.dumps(request.object))), facts, config, phase)
