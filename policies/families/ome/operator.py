"""The settings of OME's manager in a cluster, by its ConfigMap.

The manager and its webhooks read the ConfigMap each time. If it isn't known, the settings are those that OME's chart installs.

Source: OME v0.1.5, pkg/controller/v1beta1/controllerconfig, charts/ome-resources.
"""

from __future__ import annotations

import json
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of
from weighbridge.policies.ground.records import dataclass

#: The namespace of the manager, unless its variable POD_NAMESPACE names another.
NAMESPACE: Final = "ome"
CONFIG: Final = "inferenceservice-config"
#: The kind and namespace under which the store knows whether the ConfigMap is complete.
CONFIG_MAP: Final = f"ConfigMap/{CONFIG}"
#: The keys that are read.
KEYS: Final = ("deploy", "fineTunedAdapter", "ingress", "metricsAggregator", "modelInit", "multinodeProber", "servingSidecar")
RAW: Final = "RawDeployment"
SERVERLESS: Final = "Serverless"
#: The settings that the chart installs. Its memory for `modelInit` is the smaller one of the two that ship; kustomize has 320Gi.
SHIPPED: Final[dict[str, JSONObject]] = {
    "deploy": {"defaultDeploymentMode": RAW},
    "ingress": {"ingressGateway": "knative-serving/knative-ingress-gateway", "ingressService": "istio", "disableIngressCreation": True},
    "metricsAggregator": {"enableMetricAggregation": "false", "enablePrometheusScraping": "false"},
    "modelInit": {"image": "ome-agent", "cpuRequest": "15", "cpuLimit": "15", "memoryRequest": "150Gi", "memoryLimit": "150Gi"},
    "multinodeProber": {
        "image": "ghcr.io/moirai-internal/multinode-prober:v0.1.5",
        **{f"{name}{side}": amount for name, amount in (("cpu", "100m"), ("memory", "100Mi")) for side in ("Request", "Limit")},
        "startupFailureThreshold": 150,
        "startupPeriodSeconds": 30,
        "startupTimeoutSeconds": 60,
        "startupInitialDelaySeconds": 200,
    },
}


@dataclass(frozen=True, slots=True)
class KnownOperator:
    """The settings by their keys in the ConfigMap; one whose JSON can't be read is in `unreadable` instead, and a missing one in neither.

    `is_known` is whether the cluster's ConfigMap is known.
    """

    settings: dict[str, JSONObject]
    unreadable: frozenset[str] = frozenset()
    is_known: bool = False

    @property
    def default_mode(self) -> str:
        """The mode of a service that names none; empty if the settings have none."""
        return text(self.settings.get("deploy"), "defaultDeploymentMode")

    @property
    def refusal(self) -> str:
        """Why OME's webhook refuses every service, whatever its fields are; empty if it doesn't."""
        where = f"deploy of ConfigMap {CONFIG}"
        if "deploy" in self.unreadable:
            return f"{where} isn't JSON that OME can read"
        if "deploy" in self.settings and self.default_mode not in (RAW, SERVERLESS):
            return f"defaultDeploymentMode in {where} is {self.default_mode or 'empty'}, and OME takes {RAW} or {SERVERLESS}"
        return ""

    @property
    def ingress_trouble(self) -> str:
        """Why OME's controller can't compute the address of a component; empty if it can."""
        where, ingress = f"ingress of ConfigMap {CONFIG}", self.settings.get("ingress")
        if "ingress" in self.unreadable:
            return f"{where} isn't JSON that OME can read"
        if ingress is not None and not (text(ingress, "ingressGateway") and text(ingress, "ingressService")):
            return f"{where} needs ingressGateway and ingressService"
        if text(ingress, "pathTemplate") and not text(ingress, "ingressDomain"):
            return f"{where} has a pathTemplate, which needs ingressDomain"
        return ""

    @property
    def makes_front(self) -> bool:
        """Whether a service gets a Service with its own name, which it does if OME creates no ingress."""
        return part(self.settings, "ingress").get("disableIngressCreation") is True


def operator_of(facts: Facts) -> KnownOperator:
    """The settings of a cluster."""
    return facts.objects.once((("", CONFIG_MAP),), KnownOperator, lambda: _read(facts))


def keep(obj: JSONObject) -> JSONObject | None:
    """The part of a ConfigMap that is kept: the settings of OME's; nothing of any other."""
    if name_of(obj) != CONFIG:
        return None
    data = part(obj, "data")
    return {**obj, "data": {key: data[key] for key in KEYS if isinstance(data.get(key), str)}, "binaryData": {}}


def _read(facts: Facts) -> KnownOperator:
    found = next(iter(facts.objects.list("", CONFIG_MAP)), None)
    if not isinstance(found, dict):
        return KnownOperator(SHIPPED)
    read = {key: _map_of(text(part(found, "data"), key)) for key in KEYS if isinstance(part(found, "data").get(key), str)}
    settings = {key: value for key, value in read.items() if value is not None}
    return KnownOperator(settings, frozenset(read) - frozenset(settings), is_known=True)


def _map_of(written: str) -> JSONObject | None:
    """The map in a JSON text; `None` for anything else."""
    try:
        found: JSONValue = json.loads(written)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
