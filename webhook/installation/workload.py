"""The objects of the serving pods: Deployment, disruption budget, network policy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.webhook.cluster.permissions import CERTIFICATES_SECRET
from weighbridge.webhook.cluster.registration import DEFAULT_NAMESPACE
from weighbridge.webhook.installation.tree import (
    Computed,
    Node,
    Values,
    When,
    begins,
    both,
    differs,
    either,
    equals,
    formatted,
    is_set,
    setting,
    value_at,
)

NAME: Final = "weighbridge"
LABELS: Final = {"app.kubernetes.io/name": NAME}
PORT, HEALTH_PORT = 9443, 9080
CERTIFICATES: Final = "/run/weighbridge/tls"
#: The file of the ConfigMap with the authorities by which clients are verified.
CLIENT_CA: Final = "client-ca.crt"
CONFIGURATION: Final = "/etc/weighbridge/configuration"
#: The option with which the server follows the pods.
WATCH_PODS: Final = "--watch-pods"
#: The pod stays in the Service's endpoints for a moment after kubelet has asked it to end; the server itself serves for ten more seconds.
_PRE_STOP_SECONDS: Final = 5
#: The pause before, the drain, the longest call, and a reserve.
_GRACE_SECONDS: Final = 40

#: In the chart the namespace is that of the release. It is in quotes, since it may look like a number.
RELEASE_NAMESPACE: Final = Computed(".Release.Namespace | toJson", lambda _: DEFAULT_NAMESPACE)


def in_namespace(pattern: str) -> Computed:
    """A text with the namespace for %s."""
    return Computed(f'printf "{pattern}" .Release.Namespace', lambda _: pattern % DEFAULT_NAMESPACE)


def _image(values: Values) -> str:
    repository, tag = values["image"]["repository"], values["image"]["tag"]
    return f"{repository}{tag}" if tag.startswith("@") else f"{repository}:{tag}"


IMAGE: Final = Computed(
    'printf "%s%s%s" .Values.image.repository (ternary "" ":" (hasPrefix "@" .Values.image.tag)) .Values.image.tag | toJson', _image
)
POD_SECURITY: Final = {
    "runAsNonRoot": True,
    "runAsUser": 65532,
    "runAsGroup": 65532,
    "fsGroup": 65532,
    "seccompProfile": {"type": "RuntimeDefault"},
}
CONTAINER_SECURITY: Final = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}


def _collector_port(values: Values) -> int:
    address = urlsplit(values["tracingEndpoint"])
    return address.port or (443 if address.scheme == "https" else 80)


def _health_peers(values: Values) -> list[JSONValue]:
    peers = values["networkPolicyFrom"]
    return [*peers["health"], *(peers["monitoring"] if values["monitoring"]["enabled"] else ())]


#: Conditions: the certificates are Weighbridge's own, or another program's.
OWN, OTHERS = equals("certificates", "own"), differs("certificates", "own")
#: The condition that the API server presents a client certificate.
HAS_CLIENT_CA: Final = is_set("clientCA")
MONITORED: Final = is_set("monitoring.enabled")
_TRACES: Final = is_set("tracingEndpoint")
#: The port of the collector's address, or else that of its scheme.
_COLLECTOR_PORT: Final = Computed(
    'regexFind ":[0-9]+$" (urlParse .Values.tracingEndpoint).host | trimPrefix ":" '
    '| default (ternary "443" "80" (hasPrefix "https:" .Values.tracingEndpoint))',
    _collector_port,
)
_FROM: Final = ".Values.networkPolicyFrom"
#: The condition that others than kubelet may reach the health port; an empty list of peers would allow all.
_ASKS_HEALTH: Final = either(is_set("networkPolicyFrom.health"), both(MONITORED, is_set("networkPolicyFrom.monitoring")))
_HEALTH_PEERS: Final = Computed(
    f"concat {_FROM}.health (ternary {_FROM}.monitoring list .Values.monitoring.enabled) | toJson", _health_peers
)


def labelled(labels: Mapping[str, str], *paths: str) -> Computed:
    """Labels: Weighbridge's own win over those at the paths, which win over those for all objects."""
    fixed = "".join(f' "{key}" "{value}"' for key, value in labels.items())
    given = (*paths, "labels")
    written = " ".join(f".Values.{path}" for path in given)

    def plain(values: Values) -> JSONValue:
        return {key: value for path in reversed(given) for key, value in value_at(values, path).items()} | dict(labels)

    return Computed(f"merge (dict{fixed}) {written} | toJson", plain)


def metadata(name: str = NAME) -> JSONObject:
    """The metadata of an object in the namespace."""
    return {"name": name, "namespace": RELEASE_NAMESPACE, "labels": labelled(LABELS)}


def quota() -> Node:
    """The quota that allows pods of a system priority class: some clusters, such as GKE's, deny them without one."""
    scope = {"scopeName": "PriorityClass", "operator": "In", "values": [setting("priorityClassName")]}
    # The quota must allow any number of pods, or it would limit other pods of the namespace with that class.
    spec = {"hard": {"pods": "1G"}, "scopeSelector": {"matchExpressions": [scope]}}
    content = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata(), "spec": spec}
    return When(begins("priorityClassName", "system-"), content)


def deployment() -> JSONObject:
    """Replicas on different nodes, replaced one after the other."""
    spread = {
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        # Two replicas on one node are better than only one replica.
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": LABELS},
    }
    pod = {
        "serviceAccountName": NAME,
        "priorityClassName": When(is_set("priorityClassName"), setting("priorityClassName")),
        "imagePullSecrets": setting("image.pullSecrets"),
        "nodeSelector": setting("nodeSelector"),
        "tolerations": setting("tolerations"),
        "affinity": setting("affinity"),
        "topologySpreadConstraints": [spread],
        "terminationGracePeriodSeconds": _GRACE_SECONDS,
        "securityContext": POD_SECURITY,
        "containers": [_container()],
        "volumes": _volumes(),
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata(),
        "spec": {
            "replicas": setting("replicas"),
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}},
            "selector": {"matchLabels": LABELS},
            "template": {"metadata": {"labels": labelled(LABELS), "annotations": setting("podAnnotations")}, "spec": pod},
        },
    }


def _container() -> JSONObject:
    return {
        "name": "webhook",
        "image": IMAGE,
        "imagePullPolicy": setting("image.pullPolicy"),
        "args": [
            "serve",
            "--live",
            When(is_set("watchPods"), WATCH_PODS),
            When(OWN, "--register"),
            When(OWN, in_namespace(f"--cert-secret=%s/{CERTIFICATES_SECRET}")),
            in_namespace(f"--serving-name={NAME}.%s.svc"),
            f"--cert-dir={CERTIFICATES}",
            f"--config={CONFIGURATION}/configuration.yaml",
            When(HAS_CLIENT_CA, f"--client-ca={CONFIGURATION}/{CLIENT_CA}"),
            formatted("--log-level=%s", "logLevel"),
        ],
        "env": [
            {"name": "WEIGHBRIDGE_CACHE", "value": "/tmp/weighbridge"},  # noqa: S108 - the pod's own
            When(_TRACES, {"name": "OTEL_EXPORTER_OTLP_ENDPOINT", "value": setting("tracingEndpoint")}),
        ],
        "ports": [{"name": "webhook", "containerPort": PORT}, {"name": "health", "containerPort": HEALTH_PORT}],
        # Reading a large cluster takes some time, during which the pod is alive but not ready.
        "startupProbe": {"httpGet": {"path": "/livez", "port": "health"}, "periodSeconds": 1, "failureThreshold": 60},
        "livenessProbe": {"httpGet": {"path": "/livez", "port": "health"}, "periodSeconds": 10, "failureThreshold": 6},
        "readinessProbe": {"httpGet": {"path": "/readyz", "port": "health"}, "periodSeconds": 2, "failureThreshold": 2},
        "lifecycle": {"preStop": {"sleep": {"seconds": _PRE_STOP_SECONDS}}},
        "resources": setting("resources"),
        "securityContext": CONTAINER_SECURITY,
        "volumeMounts": [
            {"name": "configuration", "mountPath": CONFIGURATION, "readOnly": True},
            {"name": "certificates", "mountPath": CERTIFICATES},
            {"name": "temporary", "mountPath": "/tmp"},  # noqa: S108 - the pod's own
        ],
    }


def _volumes() -> list[JSONObject]:
    return [
        {"name": "configuration", "configMap": {"name": NAME}},
        {
            "name": "certificates",
            # Keys are kept in memory only.
            "emptyDir": When(OWN, {"medium": "Memory", "sizeLimit": "1Mi"}),
            "secret": When(OTHERS, {"secretName": CERTIFICATES_SECRET}),
        },
        {"name": "temporary", "emptyDir": {"sizeLimit": "64Mi"}},
    ]


def disruption_budget() -> JSONObject:
    """A drain evicts one replica at a time; one that isn't ready doesn't block the drain of a node."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": metadata(),
        "spec": {"maxUnavailable": 1, "unhealthyPodEvictionPolicy": "AlwaysAllow", "selector": {"matchLabels": LABELS}},
    }


def port(number: Node, protocol: str = "TCP") -> JSONObject:
    """A port of a network policy."""
    return {"port": number, "protocol": protocol}


#: The outgoing connections of each pod: DNS and the API server.
ASKED: Final = (port(53, "UDP"), port(53), port(443), port(6443))


def network_policy() -> JSONObject:
    """The network policy of the pods.

    In: the webhook's port, from anywhere unless the API servers' addresses are given; and the health port, from the collectors of metrics
    and from the tunnel through which an API server reads them. Kubelet always reaches pods of its own node. Out: DNS, the API server, and
    the collector of traces.
    """

    callers = When(is_set("networkPolicyFrom.webhook"), setting("networkPolicyFrom.webhook"))
    health = When(_ASKS_HEALTH, {"ports": [port(HEALTH_PORT)], "from": _HEALTH_PEERS})
    collector = When(_TRACES, port(_COLLECTOR_PORT))
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": metadata(),
        "spec": {
            "podSelector": {"matchLabels": LABELS},
            "policyTypes": ["Ingress", "Egress"],
            "ingress": [{"ports": [port(PORT)], "from": callers}, health],
            "egress": [{"ports": [*ASKED, collector]}],
        },
    }
