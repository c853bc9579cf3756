"""Logs decisions."""

from __future__ import annotations

import logging
from typing import Final

from weighbridge.policies.ground.findings import Decision, Severity
from weighbridge.policies.ground.objects import JSONObject, metadata_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.server.metrics import outcome_of
from weighbridge.webhook.texts.logs import FIELDS

_log: Final = logging.getLogger("weighbridge.decisions")


def log_decision(request: Request, decision: Decision, phase: Phase, milliseconds: float, *, is_audit: bool = False) -> None:
    """Write one line for a refusal or a mutation; a plain admission isn't logged."""
    outcome = outcome_of(decision, is_audit=is_audit)
    if outcome == "allow" or not _log.isEnabledFor(logging.INFO):
        return
    fields: JSONObject = {
        "uid": request.uid,
        "phase": phase,
        "operation": request.operation,
        "kind": str(request.gvk),
        "namespace": request.namespace,
        "name": request.name or _generated_name(request),
        "decision": outcome,
        "rules": sorted({finding.rule for finding in decision.findings if finding.severity is not Severity.NOTE}),
        "ms": round(milliseconds, 3),
    }
    if decision.patch:
        fields["patched"] = [operation["path"] for operation in decision.patch]
    if request.dry_run:
        fields["dryRun"] = True
    _log.info("decision", extra={FIELDS: fields})


def _generated_name(request: Request) -> str:
    """The beginning of the name that an object without one will get."""
    prefix = metadata_of(request.object).get("generateName")
    return f"{prefix}*" if isinstance(prefix, str) and prefix else ""
