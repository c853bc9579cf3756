"""The permissions of Weighbridge in a cluster.

The webhook lists and watches only what its rules, its fill-ins and the placement read. An audit may write reports.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.kinds import PODS
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.live_facts import watched_kinds
from weighbridge.webhook.cluster.registration import CONFIGURATIONS, CONFIGURATIONS_GROUP, DEFAULT_NAME
from weighbridge.webhook.cluster.report_forms import FORMS

#: The Secret that replicas share: the authority and the serving pair. With cert-manager it is the one that cert-manager writes.
CERTIFICATES_SECRET: Final = "weighbridge-tls"  # noqa: S105 - a name
_LABELS: Final = {"app.kubernetes.io/name": "weighbridge"}


def cluster_roles() -> list[JSONObject]:
    """The role that the webhook needs, and separate roles that some clusters may not want to grant.

    The second is needed only if namespaces bring sections of the configuration in ConfigMaps: permissions can't be limited to those with a
    label. With the third it reads the name by which the API server calls it, unless an option gives it. The fourth is for following the
    pods.
    """
    plurals: dict[str, set[str]] = {}
    named: list[JSONObject] = []
    for kind in watched_kinds():
        if kind.name:
            named.append({**_rule(kind.gvk.group, {kind.plural}), "resourceNames": [kind.name]})
        else:
            plurals.setdefault(kind.gvk.group, set()).add(kind.plural)
    rules = [_rule(group, names) for group, names in sorted(plurals.items())]
    registration = {**_rule(CONFIGURATIONS_GROUP, set(CONFIGURATIONS)), "resourceNames": [DEFAULT_NAME], "verbs": ["list"]}
    return [
        _role("weighbridge", [*rules, *named]),
        _role("weighbridge-namespace-configuration", [_rule("", {"configmaps"})]),
        _role("weighbridge-registration", [registration]),
        _role("weighbridge-pods", [_rule(PODS.gvk.group, {PODS.plural})]),
    ]


def _rule(group: str, plurals: set[str]) -> JSONObject:
    return {"apiGroups": [group], "resources": sorted(plurals), "verbs": ["list", "watch"]}


def _role(name: str, rules: list[JSONObject]) -> JSONObject:
    metadata = {"name": name, "labels": _LABELS}
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": metadata, "rules": rules}


def registering_role() -> JSONObject:
    """The permission to write the caBundle into the existing webhook configurations, but not to create, widen or delete any."""
    rule = {"apiGroups": [CONFIGURATIONS_GROUP], "resources": list(CONFIGURATIONS), "verbs": ["get", "patch"]}
    return _role("weighbridge-ca-bundle", [{**rule, "resourceNames": [DEFAULT_NAME]}])


def namespace_role(secret: str) -> JSONObject:
    """The permission to keep certificates in one Secret of its own namespace; creating can't be limited to a name."""
    named = {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "update"], "resourceNames": [secret]}
    making = {"apiGroups": [""], "resources": ["secrets"], "verbs": ["create"]}
    return {**_role("weighbridge-certificates", [named, making]), "kind": "Role"}


def reporting_role() -> JSONObject:
    """The permission to write policy reports, for `weighbridge audit --report`; a server-side apply that creates one needs both verbs."""
    verbs = ["list", "create", "patch", "delete"]
    rules = [{"apiGroups": [form.group], "resources": sorted(kind.plural for kind in form.kinds), "verbs": verbs} for form in FORMS]
    return _role("weighbridge-reports", rules)
