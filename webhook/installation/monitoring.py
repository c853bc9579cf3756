"""Objects that collect and show the metrics: PodMonitor and PrometheusRule of the Prometheus operator, and the dashboard's ConfigMap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.installation.alerts import groups
from weighbridge.webhook.installation.dashboard import dashboard
from weighbridge.webhook.installation.tree import Node, Text
from weighbridge.webhook.installation.workload import LABELS, NAME, labelled, metadata

#: The file of the chart with the dashboard, whose braces would be Helm actions in a template.
DASHBOARD_FILE: Final = "dashboard.json"


def objects() -> Iterator[Node]:
    """The objects; the operator's kinds have to be installed."""
    yield {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PodMonitor",
        "metadata": _labelled(),
        "spec": {"selector": {"matchLabels": LABELS}, "podMetricsEndpoints": [{"port": "health", "path": "/metrics"}]},
    }
    yield {"apiVersion": "monitoring.coreos.com/v1", "kind": "PrometheusRule", "metadata": _labelled(), "spec": groups()}
    text = Text(f'.Files.Get "{DASHBOARD_FILE}"', lambda _: dashboard())
    # The sidecar of Grafana's chart looks for ConfigMaps with the label `grafana_dashboard`.
    found = metadata(f"{NAME}-dashboard")
    yield {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {**found, "labels": labelled({**LABELS, "grafana_dashboard": "1"})},
        "data": {"weighbridge.json": text},
    }


def _labelled() -> JSONObject:
    """The metadata with the labels by which the operator's Prometheus selects objects."""
    return {**metadata(), "labels": labelled(LABELS, "monitoring.labels")}
