"""The log: one JSON object per line on stderr, never with the judged object or with credentials."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, TextIO

import orjson

from weighbridge.policies.facts.credentials import may_have_credentials
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.verdict.hidden_credentials import HiddenCredentials
from weighbridge.webhook.texts.escapes import in_json

#: The attribute of a log record with further fields for its line.
FIELDS: Final = "fields"


class LogLevel(StrEnum):
    """How much is logged; every line is one JSON object on stderr."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class JSONFormatter(logging.Formatter):
    """Formats a record as one line of JSON: time, level, logger, message, its further fields, and the traceback if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line, without credentials."""
        line: JSONObject = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, FIELDS, {})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        text = orjson.dumps(line, default=str).decode()
        if may_have_credentials(text):
            # An error may quote an address with credentials.
            text = orjson.dumps(HiddenCredentials().value(line), default=str).decode()
        return in_json(text)


def configure(level: LogLevel, stream: TextIO = sys.stderr) -> None:
    """Write every log line of the process to `stream`."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JSONFormatter())
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    # Our own lines on starting and stopping already say the same.
    logging.getLogger("uvicorn.error").setLevel(max(logging.WARNING, logging.getLogger().level))
