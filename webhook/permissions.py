"""What the webhook may do in a cluster: list and watch what its rules, its defaults and the placement read, and nothing else."""

from __future__ import annotations

from policies.objects import JSONObject
from webhook.cluster import watched_kinds


def cluster_role(name: str = "weighbridge") -> JSONObject:
    """The ClusterRole: one rule per API group; it neither writes anything nor reads Secrets."""
    plurals: dict[str, set[str]] = {}
    for kind in watched_kinds():
        plurals.setdefault(kind.gvk.group, set()).add(kind.plural)
    rules = [{"apiGroups": [group], "resources": sorted(names), "verbs": ["list", "watch"]} for group, names in sorted(plurals.items())]
    metadata = {"name": name, "labels": {"app.kubernetes.io/name": "weighbridge"}}
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": metadata, "rules": rules}
