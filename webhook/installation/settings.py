"""The settings of an installation: the values of the chart, with their defaults, schema and meaning."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from weighbridge import __version__
from weighbridge.policies.families.configuration import json_schema
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass, field

_TEXT: Final = {"type": "string"}
_MAP: Final = {"type": "object"}
_TEXTS: Final = {"type": "object", "additionalProperties": {"type": "string"}}
_NAMESPACES: Final = {
    "type": "array",
    "items": {"type": "string", "maxLength": 63, "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"},
    "uniqueItems": True,
}
#: Peers as a NetworkPolicy has them; one that names nothing would be refused.
_PEERS: Final = {"type": "array", "items": {"type": "object", "minProperties": 1}}
#: What the chart writes into the Configuration itself.
_CHARTS_OWN: Final = frozenset({"apiVersion", "kind", "mode"})


@dataclass(frozen=True, slots=True)
class Setting:
    """One value: its path, its default, what is allowed, and a line that says what it is for."""

    path: str
    default: JSONValue
    meaning: str
    schema: Mapping[str, Any] = field(default_factory=dict)


SETTINGS: Final = (
    Setting("mode", "audit", "audit: count and warn, refuse and change nothing. deny: refuse and fill in", {"enum": ["audit", "deny"]}),
    Setting(
        "failurePolicy",
        "",
        "what the API server does while no replica answers /validate; empty: Ignore in audit, Fail in deny",
        {"enum": ["", "Ignore", "Fail"]},
    ),
    Setting("excludedNamespaces", ["kube-system"], "namespaces of which no request is sent here, besides Weighbridge's own", _NAMESPACES),
    Setting("timeoutSeconds", 3, "how long the API server waits for an answer", {"type": "integer", "minimum": 1, "maximum": 30}),
    Setting("configuration", {}, "the Configuration (docs/configuration.md) without apiVersion, kind and mode", _MAP),
    Setting(
        "namespaceConfiguration", True, "whether ConfigMaps of namespaces may narrow it; needs to read all ConfigMaps", {"type": "boolean"}
    ),
    Setting(
        "watchPods",
        False,
        "whether it follows the pods, so that verdicts say what finds room today; needs to read all pods, and a few KiB of memory for each"
        " ten of them",
        {"type": "boolean"},
    ),
    Setting(
        "certificates",
        "own",
        "own: an authority of Weighbridge's own, in a Secret. cert-manager: certificates and caBundle by cert-manager",
        {"enum": ["own", "cert-manager"]},
    ),
    Setting(
        "clientCA",
        "",
        "authorities (PEM) of the certificate that the API server shows to webhooks; other clients then get no answer",
        {"type": "string", "pattern": "^$|-----BEGIN CERTIFICATE-----"},
    ),
    Setting("replicas", 2, "pods; with one, an update of it or its node leaves calls unanswered", {"type": "integer", "minimum": 1}),
    Setting("image.repository", "weighbridge", "the image", {"type": "string", "minLength": 1}),
    Setting(
        "image.tag",
        __version__,
        "its tag, or its digest after an @, or both, such as 0.1.0@sha256:...",
        {"type": "string", "pattern": "^([0-9A-Za-z_][-0-9A-Za-z_.]{0,127})?(@[a-z0-9]+:[0-9a-f]{32,})?$", "minLength": 1},
    ),
    Setting("image.pullPolicy", "IfNotPresent", "when it is pulled", {"enum": ["Always", "IfNotPresent", "Never"]}),
    Setting("image.pullSecrets", [], "names of Secrets to pull it with, each as {name: NAME}", {"type": "array", "items": _MAP}),
    Setting(
        "resources",
        {"requests": {"cpu": "100m", "memory": "256Mi"}, "limits": {"memory": "1Gi"}},
        "of a pod; without a CPU limit, since a throttled webhook makes writers wait",
        _MAP,
    ),
    Setting("logLevel", "info", "the lowest level that is logged", {"enum": ["debug", "info", "warning", "error"]}),
    Setting(
        "priorityClassName",
        "system-cluster-critical",
        "the class of the pods; empty for none. Of a class of the system's a ResourceQuota is made, without which GKE refuses the pods",
        _TEXT,
    ),
    Setting("nodeSelector", {}, "labels that the nodes must have", _TEXTS),
    Setting("tolerations", [], "taints that the pods tolerate", {"type": "array", "items": _MAP}),
    Setting("affinity", {}, "rules for the choice of nodes, as a pod has them", _MAP),
    Setting("labels", {}, "labels that all objects and the pods get besides their own", _TEXTS),
    Setting("podAnnotations", {}, "annotations that the pods get", _TEXTS),
    Setting(
        "monitoring.enabled",
        False,
        "whether the Prometheus operator collects the metrics and alerts, and Grafana gets the dashboard",
        {"type": "boolean"},
    ),
    Setting("monitoring.labels", {}, "labels by which the operator's Prometheus chooses, such as {release: prometheus}", _TEXTS),
    Setting(
        "reports.enabled",
        False,
        "whether a CronJob keeps a report on each object that something is found of; the CRDs of OpenReports have to be installed",
        {"type": "boolean"},
    ),
    Setting("reports.schedule", "17 * * * *", "when it runs, as cron has it", {"type": "string", "minLength": 1}),
    Setting(
        "tracingEndpoint",
        "",
        "where a collector takes traces as OTLP over HTTP, such as http://collector.tracing:4318; empty: there are none",
        {"type": "string", "pattern": "^(https?://([^/@:]+|\\[[0-9a-fA-F:.]+\\])(:[0-9]{1,5})?(/.*)?)?$"},
    ),
    Setting(
        "networkPolicy",
        True,
        "whether a NetworkPolicy narrows the pods' traffic to what they need; it expects the API server on port 443 or 6443",
        {"type": "boolean"},
    ),
    Setting(
        "networkPolicyFrom.webhook",
        [],
        "peers of that NetworkPolicy that may call the webhook: the API servers; empty: anyone, since their addresses aren't known here",
        _PEERS,
    ),
    Setting(
        "networkPolicyFrom.health",
        [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "kube-system"}}}],
        "peers that may reach the health port besides the pod's own node, from which kubelet asks; empty: none",
        _PEERS,
    ),
    Setting(
        "networkPolicyFrom.monitoring",
        [{"namespaceSelector": {}, "podSelector": {"matchLabels": {"app.kubernetes.io/name": "prometheus"}}}],
        "peers that may reach it, too, where monitoring.enabled is true",
        _PEERS,
    ),
)


def default_values() -> dict[str, Any]:
    """The default values."""
    values: dict[str, Any] = {}
    for entry in SETTINGS:
        *sections, name = entry.path.split(".")
        holder = values
        for section in sections:
            holder = holder.setdefault(section, {})
        holder[name] = entry.default
    return values


def values_text() -> str:
    """values.yaml: each value with its meaning before it."""
    lines = ["# The values of the chart with their defaults. Generated; values.schema.json says what each may be."]
    section = ""
    for entry in SETTINGS:
        *sections, name = entry.path.split(".")
        indent = "  " * len(sections)
        if sections and sections[0] != section:
            lines.append(f"{sections[0]}:")
        section = sections[0] if sections else ""
        lines += [f"{indent}# {entry.meaning}", f"{indent}{name}: {json.dumps(entry.default)}"]
    return "\n".join(lines) + "\n"


def values_schema() -> JSONObject:
    """values.schema.json, by which Helm checks what a user gives; an unknown name is a mistake."""
    properties: dict[str, Any] = {}
    for entry in SETTINGS:
        *sections, name = entry.path.split(".")
        holder = properties
        for section in sections:
            inner = holder.setdefault(section, {"type": "object", "additionalProperties": False, "properties": {}})
            holder = inner["properties"]
        holder[name] = {"description": entry.meaning, **entry.schema}
    definitions = _configure(properties["configuration"])
    # Helm adds `global` to the values of every chart.
    properties["global"] = {"type": "object"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Values of Weighbridge's chart",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "$defs": definitions,
    }


def _configure(section: dict[str, Any]) -> JSONValue:
    """Hold the section to what the program reads, since a pod that can't read its configuration doesn't start; the definitions for it."""
    whole = json_schema()
    known = {key: value for key, value in whole["properties"].items() if key not in _CHARTS_OWN}
    section |= {"additionalProperties": False, "properties": known}
    definitions: JSONValue = whole["$defs"]
    return definitions
