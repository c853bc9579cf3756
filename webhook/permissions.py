"""What the webhook may do in a cluster: list and watch what its rules, its defaults and the placement read, and nothing else."""

from __future__ import annotations

from typing import Final

from policies.objects import JSONObject
from webhook.cluster import watched_kinds

_LABELS: Final = {"app.kubernetes.io/name": "weighbridge"}


def cluster_roles() -> list[JSONObject]:
    """What the webhook needs, and apart from it what it needs only where namespaces bring sections of the configuration in ConfigMaps.

    Permissions can't be narrowed to ConfigMaps with a label, so whoever has no use for such sections leaves the second role out.
    """
    plurals: dict[str, set[str]] = {}
    for kind in watched_kinds():
        plurals.setdefault(kind.gvk.group, set()).add(kind.plural)
    return [_role("weighbridge", plurals), _role("weighbridge-namespace-configuration", {"": {"configmaps"}})]


def _role(name: str, plurals: dict[str, set[str]]) -> JSONObject:
    """A ClusterRole with one rule per API group; it neither writes anything nor reads Secrets."""
    rules = [{"apiGroups": [group], "resources": sorted(names), "verbs": ["list", "watch"]} for group, names in sorted(plurals.items())]
    metadata = {"name": name, "labels": _LABELS}
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": metadata, "rules": rules}
