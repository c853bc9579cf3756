"""Compares the effects of mutating policies on objects of built-in kinds, on a real kube-apiserver and here.

The engine doesn't predict what the server does to a built-in object after the policies. So the object with the changes that the policies
make here is sent to the server as well, with a label that no policy matches. The outcome must be the same object, or the same refusal.
"""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus

from tests.programs.differential.connection import Connections
from tests.programs.mutations.built_in_draw import BuiltInDraw
from tests.programs.mutations.compare import Answer, Answering, Result, ask_server, of_engine, of_server, run
from tests.programs.mutations.draw import Sent
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import metadata_of


def run_built_in(connections: Connections, count: int, seed: int, draw: type[BuiltInDraw] = BuiltInDraw) -> Result:
    """Set up a number of policies about built-in kinds with their objects, and compare."""
    return run(connections, count, seed, draw, _answering(connections))


def _answering(connections: Connections) -> Answering:
    def answer(sent: Sent, decision: Decision) -> Answer:
        is_judged = decision.allowed or "ValidatingAdmissionPolicy" in decision.message
        if not is_judged or not isinstance(decision.object, dict):
            return of_engine(sent, decision)
        metadata = metadata_of(decision.object)
        labels = metadata.get("labels")
        changed = {**metadata, "labels": {**labels, "setup": "none"}} if isinstance(labels, dict) and "setup" in labels else metadata
        body = {**decision.object, "metadata": changed}
        found = of_server(sent, ask_server(connections, replace(sent, body=body)))
        # An object that the server itself refuses never reaches a validating policy.
        if decision.allowed or found.code >= HTTPStatus.BAD_REQUEST:
            return found
        return replace(of_engine(sent, decision), warnings=found.warnings)

    return answer
