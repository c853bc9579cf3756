"""How Weighbridge was installed, by applied files or by Helm and in which mode, so that the advised commands fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final

import yaml

from weighbridge.policies.ground.fields import items, text, text_map
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.cluster.registration import DEFAULT_NAMESPACE

_RELEASE: Final = "meta.helm.sh/release-name"
_INJECTED: Final = "cert-manager.io/inject-ca-from"


@dataclass(frozen=True, slots=True)
class Installed:
    """The namespace, the release (empty if files were applied), the mode, the issuer of the certificates, and the configuration."""

    namespace: str = DEFAULT_NAMESPACE
    release: str = ""
    denies: bool = False
    makes_certificates: bool = True
    rules: Mapping[str, JSONValue] = field(default_factory=dict)

    @property
    def apply(self) -> str:
        """The command that restores missing objects, in the same mode."""
        if self.release:
            return f"helm upgrade {self.release} deploy/chart -n {self.namespace} --reuse-values"
        if self.namespace != DEFAULT_NAMESPACE:
            return f"kubectl apply -k on the overlay that installs into {self.namespace}"
        return "kubectl apply -f deploy/install.yaml" + (" -f deploy/deny.yaml" if self.denies else "")

    def replace(self, kind: str, name: str) -> str:
        """The commands that create an object again, since applying it would keep what others have added."""
        return f"kubectl delete {kind.lower()} {name}; {self.apply}"

    @property
    def restart(self) -> str:
        """The command that replaces the pods."""
        return f"kubectl -n {self.namespace} rollout restart deployment/weighbridge"


async def how_installed(api: KubernetesAPI, namespace: str, configurations: Iterable[JSONObject]) -> Installed:
    """The installation, read from the webhook configurations and the ConfigMap."""
    known = list(configurations)
    fails = any(text(webhook, "failurePolicy") == "Fail" for obj in known for webhook in items(obj, "webhooks"))
    configured: JSONObject = {}
    with suppress(APIError):
        found = await api.get(f"/api/v1/namespaces/{namespace}/configmaps/weighbridge")
        known.append(found)
        configured = _read(text_map(found, "data").get("configuration.yaml", ""))
    annotations = [text_map(obj, "metadata", "annotations") for obj in known]
    mode, rules = configured.get("mode"), configured.get("rules")
    return Installed(
        namespace,
        next((each[_RELEASE] for each in annotations if _RELEASE in each), ""),
        fails if mode is None else mode == "deny",
        not any(_INJECTED in each for each in annotations),
        rules if isinstance(rules, dict) else {},
    )


def _read(configuration: str) -> JSONObject:
    with suppress(yaml.YAMLError):
        found = yaml.safe_load(configuration)
        if isinstance(found, dict):
            return found
    return {}
