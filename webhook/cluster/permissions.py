"""What Weighbridge may do in a cluster.

The webhook lists and watches what its rules, its defaults and the placement read, and nothing else. An audit may keep reports.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.kinds import PODS
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.live_facts import watched_kinds
from weighbridge.webhook.cluster.registration import CONFIGURATIONS, CONFIGURATIONS_GROUP, DEFAULT_NAME
from weighbridge.webhook.cluster.report_forms import FORMS

#: The Secret that replicas share: the authority and the serving pair. With cert-manager the one that it writes.
CERTIFICATES_SECRET: Final = "weighbridge-tls"  # noqa: S105 - a name
_LABELS: Final = {"app.kubernetes.io/name": "weighbridge"}


def cluster_roles() -> list[JSONObject]:
    """What the webhook needs, and apart from it what some clusters may not want to give it.

    The second is needed only where namespaces bring sections of the configuration in ConfigMaps: permissions can't be narrowed to those
    with a label. With the third it reads the name under which the API server calls it, unless an option gives it. The fourth is for
    following the pods.
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
    """The right to write the caBundle into webhook configurations that are there; none to make, widen or delete any other."""
    rule = {"apiGroups": [CONFIGURATIONS_GROUP], "resources": list(CONFIGURATIONS), "verbs": ["get", "patch"]}
    return _role("weighbridge-ca-bundle", [{**rule, "resourceNames": [DEFAULT_NAME]}])


def namespace_role(secret: str) -> JSONObject:
    """The right to keep certificates in one Secret of its own namespace; the name of what is made can't be narrowed."""
    named = {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "update"], "resourceNames": [secret]}
    making = {"apiGroups": [""], "resources": ["secrets"], "verbs": ["create"]}
    return {**_role("weighbridge-certificates", [named, making]), "kind": "Role"}


def reporting_role() -> JSONObject:
    """The right to keep reports of policies, for `weighbridge audit --report`; a server-side apply that makes one takes both verbs."""
    verbs = ["list", "create", "patch", "delete"]
    rules = [{"apiGroups": [form.group], "resources": sorted(kind.plural for kind in form.kinds), "verbs": verbs} for form in FORMS]
    return _role("weighbridge-reports", rules)
