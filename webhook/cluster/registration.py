"""The webhook configurations that make kube-apiserver call us: one webhook per family, narrow and static.

Each webhook names only the kinds of its family, so that a failure here can't affect what a cluster needs to recover. Of subresources only a
scale is judged, since more replicas need more hardware; a status is never blocked. Source: k8s.io/api/admissionregistration/v1.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, Protocol

from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.webhook_client import service_errors, url_errors
from weighbridge.policies.cel.values.urls import parse_url
from weighbridge.policies.families.family import Family, Kind
from weighbridge.policies.families.fill.record import KEY
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.names import dns1123_label
from weighbridge.policies.verdict.engine import Phase

CONFIGURATIONS_GROUP: Final = "admissionregistration.k8s.io"
CONFIGURATIONS: Final = ("mutatingwebhookconfigurations", "validatingwebhookconfigurations")
API_VERSION: Final = f"{CONFIGURATIONS_GROUP}/v1"
#: The versions of admission.k8s.io that we read.
REVIEW_VERSIONS: Final = ("v1",)
#: The URL path of each webhook.
PATHS: Final = {Phase.MUTATE: "/mutate", Phase.VALIDATE: "/validate"}
DEFAULT_NAME: Final = "weighbridge"
#: The namespace of the installation, unless the chart names another one.
DEFAULT_NAMESPACE: Final = "weighbridge-system"
#: Excluded namespaces: our own, so that the webhook can start without judging itself, and the control plane's.
EXCLUDED_NAMESPACES: Final = ("kube-system", DEFAULT_NAMESPACE)
#: The API server waits at most so long in every create and update, so it must be short; a decision takes milliseconds.
TIMEOUT_SECONDS: Final = 3


_IS_CHANGED: Final = "request.operation != 'UPDATE' || object.?spec != oldObject.?spec"
#: The deletion of an object must not be blocked. Its spec is still judged, since an operator acts on it as long as it has a finalizer.
_NO_LETTING_GO: Final = {"name": "is-no-letting-go", "expression": f"!has(object.metadata.deletionTimestamp) || {_IS_CHANGED}"}
#: An update that doesn't change what is judged can't be refused: finalizers, owners and managed fields of controllers need no call.
_CHANGES_WHAT_IS_JUDGED: Final = {
    "name": "changes-what-is-judged",
    "expression": f"{_IS_CHANGED} || object.metadata.?labels != oldObject.metadata.?labels"
    " || object.metadata.?annotations != oldObject.metadata.?annotations",
}
#: Filled-in values are kept up to date with every update.
_MAY_BE_FILLED_IN: Final = {
    "name": "may-be-filled-in",
    "expression": f"{_IS_CHANGED} || [object, oldObject].exists(o, '{KEY}' in o.metadata.?annotations.orValue({{}}))",
}
#: The controllers that clean up after a namespace or an owner are never blocked.
_NO_CLEAN_UP: Final = {
    "name": "is-no-clean-up",
    "expression": "!(request.userInfo.username in ["
    "'system:serviceaccount:kube-system:namespace-controller', 'system:serviceaccount:kube-system:generic-garbage-collector'])",
}
_CONDITIONS: Final = {
    Phase.MUTATE: (_NO_LETTING_GO, _MAY_BE_FILLED_IN),
    Phase.VALIDATE: (_NO_LETTING_GO, _CHANGES_WHAT_IS_JUDGED),
}


class FailurePolicy(StrEnum):
    """What the API server does when a webhook can't be called or fails."""

    FAIL = "Fail"
    IGNORE = "Ignore"


#: A mutation is a convenience, and the validating webhook judges the object with or without it, so an outage lets objects pass.
#: A validation must not be bypassed, so the families' own kinds wait for its return.
DEFAULT_FAILURE_POLICY: Final = {Phase.MUTATE: FailurePolicy.IGNORE, Phase.VALIDATE: FailurePolicy.FAIL}


class Endpoint(Protocol):
    """The address of the webhook for the API server."""

    def client_config(self, path: str) -> JSONObject:
        """The `clientConfig` without its caBundle. Raises ValueError, with a line per field, if the API server would refuse it."""
        ...


@dataclass(frozen=True, slots=True)
class ServiceEndpoint:
    """A Service in the cluster."""

    name: str
    namespace: str
    port: int = 443

    def client_config(self, path: str) -> JSONObject:
        """As a reference to the Service; its name and namespace must have the form of every Service's."""
        service = {"name": self.name, "namespace": self.namespace, "port": self.port, "path": path}
        _check([*_label_errors("service", self.name), *_label_errors("namespace", self.namespace)])
        _check(service_errors(service, FieldPath("service")))
        return {"service": service}


@dataclass(frozen=True, slots=True)
class URLEndpoint:
    """A webhook outside of the cluster; `url` is ``https://host:port``, with or without a path, to which ours are appended."""

    url: str

    def client_config(self, path: str) -> JSONObject:
        """As a URL. One without a host, such as ``https://:443``, is refused too, though the API server would store it."""
        url, where = self.url.rstrip("/") + path, FieldPath("url")
        _check(url_errors(self.url, where))
        # A URL that ends in a bare ? or # is valid by itself, but with a path after it would have a query or a fragment.
        _check(url_errors(url, where))
        if not parse_url(url).hostname:
            _check([where.invalid(self.url, "host must be specified; desired format: https://host[/path]")])
        return {"url": url}


def _label_errors(field: str, value: str) -> Iterator[FieldError]:
    return (FieldPath(field).invalid(value, message) for message in dns1123_label(value))


def _check(errors: Iterable[FieldError]) -> None:
    found = list(map(str, errors))
    if found:
        raise ValueError("\n".join(found))


@dataclass(frozen=True, slots=True)
class Registration:
    """How the API server calls us; `ca_bundle` is PEM, empty if another program injects it."""

    endpoint: Endpoint
    ca_bundle: bytes = b""
    name: str = DEFAULT_NAME
    excluded_namespaces: Sequence[str] = EXCLUDED_NAMESPACES

    def mutating(self, families: Iterable[Family], failure_policy: FailurePolicy = DEFAULT_FAILURE_POLICY[Phase.MUTATE]) -> JSONObject:
        """The MutatingWebhookConfiguration. Raises ValueError for an endpoint that the API server would refuse."""
        webhooks = [self._webhook(Phase.MUTATE, family.mutating_webhook(), family.kinds, failure_policy) for family in families]
        for webhook in webhooks:
            # Another webhook may add values on which ours depends. Ours doesn't change its own result on a second call.
            webhook["reinvocationPolicy"] = "IfNeeded"
        return self._configuration("MutatingWebhookConfiguration", webhooks)

    def validating(self, families: Iterable[Family], failure_policy: FailurePolicy = DEFAULT_FAILURE_POLICY[Phase.VALIDATE]) -> JSONObject:
        """The ValidatingWebhookConfiguration. Raises ValueError for an endpoint that the API server would refuse."""
        known = list(families)
        webhooks = [self._webhook(Phase.VALIDATE, family.validating_webhook(), family.kinds, failure_policy) for family in known]
        deletions = [self._deletion_webhook(family) for family in known if any(map(family.breaking, family.influences))]
        return self._configuration("ValidatingWebhookConfiguration", [*webhooks, *deletions])

    def _deletion_webhook(self, family: Family) -> JSONObject:
        """The webhook that is called before the deletion of an object that others may need. An outage never blocks a deletion."""
        kinds = [kind for kind in family.kinds if family.breaking(kind.gvk.kind)]
        webhook = self._webhook(Phase.VALIDATE, family.deletion_webhook(), kinds, FailurePolicy.IGNORE)
        for rule in webhook["rules"]:
            rule["operations"] = ["DELETE"]
            rule["resources"] = [name for name in rule["resources"] if "/" not in name]
        return {**webhook, "matchConditions": [dict(_NO_CLEAN_UP)]}

    def _configuration(self, kind: str, webhooks: list[JSONObject]) -> JSONObject:
        metadata = {"name": self.name, "labels": {"app.kubernetes.io/name": "weighbridge"}}
        return {"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "webhooks": webhooks}

    def _webhook(self, phase: Phase, name: str, kinds: Sequence[Kind], failure_policy: FailurePolicy) -> JSONObject:
        client_config = self.endpoint.client_config(PATHS[phase])
        if self.ca_bundle:
            client_config["caBundle"] = b64encode(self.ca_bundle).decode("ascii")
        webhook: JSONObject = {
            "name": name,
            "clientConfig": client_config,
            "rules": _rules(kinds, scales=phase is Phase.VALIDATE),
            "failurePolicy": str(failure_policy),
            # A kind that is written in another version of its API is converted to the registered one before it is sent.
            "matchPolicy": "Equivalent",
            "sideEffects": "None",
            "timeoutSeconds": TIMEOUT_SECONDS,
            "admissionReviewVersions": list(REVIEW_VERSIONS),
            "matchConditions": [dict(condition) for condition in _CONDITIONS[phase]],
        }
        if self.excluded_namespaces:
            others = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": list(self.excluded_namespaces)}
            webhook["namespaceSelector"] = {"matchExpressions": [others]}
        return webhook


def _rules(kinds: Sequence[Kind], *, scales: bool) -> list[JSONObject]:
    """One rule per group, version and scope; with `scales` the scale subresource of kinds that have one."""
    plurals: dict[tuple[str, str, bool], list[str]] = {}
    for kind in kinds:
        names = [kind.plural, f"{kind.plural}/scale"] if scales and kind.scalable else [kind.plural]
        plurals.setdefault((kind.gvk.group, kind.gvk.version, kind.namespaced), []).extend(names)
    return [
        {
            "apiGroups": [group],
            "apiVersions": [version],
            "operations": ["CREATE", "UPDATE"],
            "resources": sorted(names),
            "scope": "Namespaced" if namespaced else "Cluster",
        }
        for (group, version, namespaced), names in plurals.items()
    ]
