"""The alert rules of `alerts.yaml`: the condition of each alert, and what to do. `docs/operation.md` has them as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import yaml

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class Alert:
    """One rule; `minutes` is how long the expression must be true before it alerts."""

    name: str
    urgency: str
    expression: str
    summary: str
    action: str
    minutes: int = 0


ALERTS: Final = tuple(Alert(**entry) for entry in yaml.safe_load(Path(__file__).with_name("alerts.yaml").read_text(encoding="utf-8")))


def groups() -> JSONObject:
    """The rules in the form of Prometheus' rule files and of a PrometheusRule's spec."""
    return {"groups": [{"name": "weighbridge", "rules": [_rule(alert) for alert in ALERTS]}]}


def _rule(alert: Alert) -> JSONObject:
    held: JSONObject = {"for": f"{alert.minutes}m"} if alert.minutes else {}
    return {
        "alert": alert.name,
        "expr": alert.expression,
        **held,
        "labels": {"severity": alert.urgency},
        "annotations": {"summary": alert.summary, "description": alert.action},
    }
