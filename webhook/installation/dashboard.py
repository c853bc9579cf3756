"""The Grafana dashboard: the decisions of Weighbridge, whether mode deny is safe, its speed, and how current its facts are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import yaml

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

_WIDTH: Final = 8
_HEIGHT: Final = 8
_COLUMNS: Final = 24 // _WIDTH
_SOURCE: Final = {"type": "prometheus", "uid": "${datasource}"}


@dataclass(frozen=True, slots=True)
class Panel:
    """One diagram: its title, its unit by Grafana's name, and its curves: an expression for each legend."""

    title: str
    unit: str
    curves: Mapping[str, str]
    description: str = ""


PANELS: Final = tuple(Panel(**entry) for entry in yaml.safe_load(Path(__file__).with_name("panels.yaml").read_text(encoding="utf-8")))


def dashboard() -> str:
    """The dashboard's JSON, which Grafana imports or a sidecar finds in a ConfigMap."""
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
            for at, (legend, expression) in enumerate(panel.curves.items())
        ],
    }
