"""All objects of an installation, in the order of the files.

The webhook configurations come first: `kubectl delete -f` deletes in the same order, so the API server never calls a deleted server.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

from weighbridge.policies.config import API_VERSION, KIND
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.cluster.permissions import CERTIFICATES_SECRET, cluster_roles, namespace_role, registering_role
from weighbridge.webhook.cluster.registration import DEFAULT_NAMESPACE, FailurePolicy, Registration, ServiceEndpoint
from weighbridge.webhook.installation import monitoring, reports
from weighbridge.webhook.installation.tree import Computed, Node, Text, Values, When, is_set, resolve, setting
from weighbridge.webhook.installation.workload import (
    CLIENT_CA,
    HAS_CLIENT_CA,
    LABELS,
    MONITORED,
    NAME,
    OTHERS,
    OWN,
    RELEASE_NAMESPACE,
    deployment,
    disruption_budget,
    in_namespace,
    labelled,
    metadata,
    network_policy,
    quota,
)
from weighbridge.webhook.texts.yaml_text import yaml_text

_RBAC: Final = "rbac.authorization.k8s.io"
#: In audit the webhook refuses and changes nothing, so requests needn't fail without it.
_FAILURE_POLICY: Final = Computed(
    '.Values.failurePolicy | default (ternary "Fail" "Ignore" (eq .Values.mode "deny"))',
    lambda values: values["failurePolicy"] or ("Fail" if values["mode"] == "deny" else "Ignore"),
)
_EXCLUDED: Final = Computed(
    "append .Values.excludedNamespaces .Release.Namespace | uniq | toJson",
    lambda values: list(dict.fromkeys([*values["excludedNamespaces"], DEFAULT_NAMESPACE])),
)


@dataclass(frozen=True, slots=True)
class Part:
    """One object; `file` is its template. Objects that the chart doesn't have (`Namespace`) have none."""

    content: Node
    file: str = ""


def parts() -> Iterator[Part]:
    """All objects."""
    yield from _webhooks()
    yield Part({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": DEFAULT_NAMESPACE, "labels": _namespace_labels()}})
    yield Part({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata()}, "rbac")
    yield from _permissions()
    yield Part(_config_map(), "configuration")
    yield from _cert_manager()
    ports = [{"name": "webhook", "port": 443, "targetPort": "webhook"}]
    service = {"apiVersion": "v1", "kind": "Service", "metadata": metadata(), "spec": {"selector": LABELS, "ports": ports}}
    yield Part(service, "service")
    yield Part(disruption_budget(), "deployment")
    yield Part(quota(), "deployment")
    yield Part(When(is_set("networkPolicy"), network_policy()), "networkpolicy")
    yield Part(deployment(), "deployment")
    for content in monitoring.objects():
        yield Part(When(MONITORED, content), "monitoring")
    for file, content in reports.objects():
        yield Part(content, file)


def manifests(values: Values) -> list[JSONObject]:
    """The objects rendered with these values."""
    nodes = [part.content for part in parts()]
    return [_object(resolve(node, values)) for node in nodes if not isinstance(node, When) or node.condition.holds(values)]


def text_of(objects: list[JSONObject], heading: str) -> str:
    """Objects as one file for `kubectl apply -f`."""
    return f"# {heading}\n" + "---\n".join(map(yaml_text, objects))


def _object(resolved: Any) -> JSONObject:
    found: JSONObject = deepcopy(resolved)
    return found


def _namespace_labels() -> JSONObject:
    return {**LABELS, "pod-security.kubernetes.io/enforce": "restricted"}


def _webhooks() -> Iterator[Part]:
    registration = Registration(ServiceEndpoint(NAME, DEFAULT_NAMESPACE))
    for configuration in (registration.mutating(families()), registration.validating(families())):
        annotations = When(OTHERS, {"cert-manager.io/inject-ca-from": in_namespace(f"%s/{NAME}")})
        configuration["metadata"] |= {"labels": labelled(LABELS), "annotations": annotations}
        for webhook in configuration["webhooks"]:
            webhook["clientConfig"]["service"]["namespace"] = RELEASE_NAMESPACE
            webhook["namespaceSelector"]["matchExpressions"][0]["values"] = _EXCLUDED
            webhook["timeoutSeconds"] = setting("timeoutSeconds")
            if webhook["failurePolicy"] == FailurePolicy.FAIL:
                webhook["failurePolicy"] = _FAILURE_POLICY
        yield Part(configuration, "webhooks")


def _permissions() -> Iterator[Part]:
    # The third is for reading the name by which the API server calls the webhook. Here a flag gives this name.
    reading, narrowing, _, following = cluster_roles()
    for role in (reading, narrowing, following):
        role["metadata"]["labels"] = labelled(LABELS)
    for part in (reading, _binding("ClusterRole", reading["metadata"]["name"])):
        yield Part(part, "rbac")
    for part in (narrowing, _binding("ClusterRole", narrowing["metadata"]["name"])):
        yield Part(When(is_set("namespaceConfiguration"), part), "rbac")
    for part in (following, _binding("ClusterRole", following["metadata"]["name"])):
        yield Part(When(is_set("watchPods"), part), "rbac")
    registering = registering_role()
    registering["metadata"]["labels"] = labelled(LABELS)
    own = [registering, _binding("ClusterRole", registering["metadata"]["name"])]
    secret = namespace_role(CERTIFICATES_SECRET)
    secret["metadata"] = metadata(secret["metadata"]["name"])
    own += [secret, _binding("Role", secret["metadata"]["name"])]
    for part in own:
        yield Part(When(OWN, part), "rbac")


def _binding(kind: str, name: str) -> JSONObject:
    subject = {"kind": "ServiceAccount", "name": NAME, "namespace": RELEASE_NAMESPACE}
    return {
        "apiVersion": f"{_RBAC}/v1",
        "kind": f"{kind}Binding",
        "metadata": metadata(name) if kind == "Role" else {"name": name, "labels": labelled(LABELS)},
        "roleRef": {"apiGroup": _RBAC, "kind": kind, "name": name},
        "subjects": [subject],
    }


def _config_map() -> JSONObject:
    own = f'(dict "apiVersion" "{API_VERSION}" "kind" "{KIND}" "mode" .Values.mode)'

    def plain(values: Values) -> str:
        return yaml_text({"apiVersion": API_VERSION, "kind": KIND, "mode": values["mode"], **values["configuration"]})

    text = Text(f"merge {own} .Values.configuration | toYaml", plain)
    authorities = When(HAS_CLIENT_CA, setting("clientCA"))
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata(), "data": {"configuration.yaml": text, CLIENT_CA: authorities}}


def _cert_manager() -> Iterator[Part]:
    """A self-signed authority and an issuer that uses it, so that the caBundle outlives the serving certificates."""
    authority = "weighbridge-ca"

    def thing(kind: str, name: str, spec: JSONObject) -> Part:
        content = {"apiVersion": "cert-manager.io/v1", "kind": kind, "metadata": metadata(name), "spec": spec}
        return Part(When(OTHERS, content), "certificates")

    ecdsa = {"algorithm": "ECDSA", "size": 256}
    yield thing("Issuer", "weighbridge-self-signed", {"selfSigned": {}})
    by = {"issuerRef": {"name": "weighbridge-self-signed", "kind": "Issuer"}, "duration": "87600h", "privateKey": ecdsa}
    yield thing("Certificate", authority, {"isCA": True, "commonName": authority, "secretName": authority, **by})
    yield thing("Issuer", authority, {"ca": {"secretName": authority}})
    names = [in_namespace(f"{NAME}.%s.svc{end}") for end in ("", ".cluster.local")]
    served = {
        "secretName": CERTIFICATES_SECRET,
        "dnsNames": names,
        "issuerRef": {"name": authority, "kind": "Issuer"},
        "privateKey": {**ecdsa, "rotationPolicy": "Always"},
    }
    yield thing("Certificate", NAME, served)
