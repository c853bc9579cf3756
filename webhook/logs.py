"""The log: one JSON object a line on stderr, with what a decision was but never the object that it was about."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Final, TextIO

import orjson

from policies.engine import Phase
from policies.findings import Decision, Severity
from policies.objects import JSONObject, metadata_of
from policies.request import Request
from webhook.escapes import in_json
from webhook.metrics import outcome_of
from webhook.settings import LogLevel

#: The attribute of a log record that carries more fields of its line.
FIELDS: Final = "fields"
_log: Final = logging.getLogger("weighbridge.decisions")


class JSONFormatter(logging.Formatter):
    """Makes a record one line of JSON: time, level, logger, message, its own fields, and the traceback if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        line: JSONObject = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, FIELDS, {})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return in_json(orjson.dumps(line, default=str).decode())


def configure(level: LogLevel, stream: TextIO = sys.stderr) -> None:
    """Send every log line of the process to `stream`."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JSONFormatter())
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    # Its lines on starting and stopping say what ours say already.
    logging.getLogger("uvicorn.error").setLevel(max(logging.WARNING, logging.getLogger().level))


def log_decision(request: Request, decision: Decision, phase: Phase, milliseconds: float) -> None:
    """One line for a refusal or a mutation; a plain admission isn't worth one."""
    outcome = outcome_of(decision)
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
        "rules": sorted({finding.rule for finding in decision.findings if finding.severity is not Severity.INFO}),
        "ms": round(milliseconds, 3),
    }
    if decision.patch:
        fields["patched"] = [operation["path"] for operation in decision.patch]
    if request.dry_run:
        fields["dryRun"] = True
    _log.info("decision", extra={FIELDS: fields})


def _generated_name(request: Request) -> str:
    """The name that an object without one will begin with."""
    prefix = metadata_of(request.object).get("generateName")
    return f"{prefix}*" if isinstance(prefix, str) and prefix else ""
