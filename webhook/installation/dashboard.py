"""The Grafana dashboard: what Weighbridge decides, whether mode deny is safe, how quick it is, and how current its facts are."""

from __future__ import annotations

import json
from typing import Final

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

_WIDTH: Final = 8
_HEIGHT: Final = 8
_COLUMNS: Final = 24 // _WIDTH
_SOURCE: Final = {"type": "prometheus", "uid": "${datasource}"}


@dataclass(frozen=True, slots=True)
class Panel:
    """One diagram: its title, its unit by Grafana's name, and its curves as expression and legend."""

    title: str
    unit: str
    curves: tuple[tuple[str, str], ...]
    description: str = ""


PANELS: Final = (
    Panel(
        "Decisions",
        "reqps",
        (("sum by (phase, decision) (rate(weighbridge_decisions_total[5m]))", "{{phase}} {{decision}}"),),
        "In mode audit would-deny is what mode deny would refuse.",
    ),
    Panel(
        "Refused, or would be, by kind",
        "short",
        (('sum by (kind, decision) (increase(weighbridge_decisions_total{decision=~"deny|would-deny"}[1h]))', "{{kind}} {{decision}}"),),
        "Mode deny is safe once would-deny stays at zero for as long as your slowest pipeline takes.",
    ),
    Panel(
        "Findings that refuse, or would, by rule",
        "short",
        (('topk(10, sum by (rule, result) (increase(weighbridge_findings_total{result=~"deny|would-deny"}[1h])))', "{{rule}} {{result}}"),),
    ),
    Panel(
        "Time to answer a call",
        "s",
        (
            ("histogram_quantile(0.5, sum by (le, phase) (rate(weighbridge_call_duration_seconds_bucket[5m])))", "{{phase}} p50"),
            ("histogram_quantile(0.99, sum by (le, phase) (rate(weighbridge_call_duration_seconds_bucket[5m])))", "{{phase}} p99"),
        ),
    ),
    Panel(
        "Time in the engine",
        "s",
        (("histogram_quantile(0.99, sum by (le, phase) (rate(weighbridge_decision_duration_seconds_bucket[5m])))", "{{phase}} p99"),),
    ),
    Panel(
        "Calls in flight",
        "short",
        (("sum(weighbridge_calls_in_flight)", "being answered"), ("sum(weighbridge_bodies_arriving)", "bodies awaited")),
    ),
    Panel(
        "Calls turned away", "reqps", (("sum by (reason) (rate(weighbridge_calls_turned_away_total[5m]))", "{{reason}}"),), "HTTP errors."
    ),
    Panel("Failures of rules or the engine", "short", (("sum by (phase) (increase(weighbridge_engine_failures_total[1h]))", "{{phase}}"),)),
    Panel("Replicas that are ready", "short", (("sum(weighbridge_ready)", "ready"), ("count(weighbridge_ready)", "there"))),
    Panel("Age of the facts", "s", (("max by (resource) (weighbridge_facts_age_seconds)", "{{resource}}"),)),
    Panel("Kinds that can't be read", "short", (("sum by (resource) (weighbridge_facts_known == bool 0)", "{{resource}}"),)),
    Panel(
        "Checks that installed CRDs lack",
        "short",
        (("max by (kind) (weighbridge_crd_missing_checks)", "{{kind}}"),),
        "Weighbridge makes them in place of the CRD.",
    ),
    Panel(
        "Days until certificates end",
        "d",
        (
            ("min(weighbridge_certificate_not_after_timestamp_seconds - time()) / 86400", "serving certificate"),
            ("min((weighbridge_authority_not_after_timestamp_seconds > 0) - time()) / 86400", "authority"),
        ),
    ),
    Panel(
        "Configurations in force",
        "short",
        (
            ('count(count_values("hash", weighbridge_configuration_hash))', "different ones"),
            ("sum(weighbridge_configuration_last_reload_successful == bool 0)", "replicas that refused the newest"),
        ),
    ),
    Panel("Memory", "bytes", (("process_resident_memory_bytes and on (instance, pod) weighbridge_ready", "{{pod}}"),)),
    Panel("Processors in use", "short", (("rate(process_cpu_seconds_total[5m]) and on (instance, pod) weighbridge_ready", "{{pod}}"),)),
)


def dashboard() -> str:
    """The dashboard's JSON, as Grafana imports it or a sidecar finds it in a ConfigMap."""
    source = {"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Data source"}
    whole = {
        "title": "Weighbridge",
        "uid": "weighbridge",
        "tags": ["admission"],
        "schemaVersion": 39,
        "editable": True,
        "refresh": "1m",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": [source]},
        "panels": [_panel(number, panel) for number, panel in enumerate(PANELS)],
    }
    return json.dumps(whole, indent=2) + "\n"


def _panel(number: int, panel: Panel) -> JSONObject:
    row, column = divmod(number, _COLUMNS)
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": panel.title,
        "description": panel.description,
        "datasource": _SOURCE,
        "gridPos": {"x": column * _WIDTH, "y": row * _HEIGHT, "w": _WIDTH, "h": _HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "targets": [
            {"refId": chr(ord("A") + at), "datasource": _SOURCE, "expr": expression, "legendFormat": legend}
            for at, (expression, legend) in enumerate(panel.curves)
        ],
    }
