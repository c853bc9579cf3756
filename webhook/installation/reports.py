"""The objects that keep policy reports: a CronJob with its own account, since the webhook itself writes no reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.permissions import cluster_roles, reporting_role
from weighbridge.webhook.installation.tree import Condition, Node, When, both, is_set, setting
from weighbridge.webhook.installation.workload import (
    ASKED,
    CONFIGURATION,
    CONTAINER_SECURITY,
    IMAGE,
    LABELS,
    NAME,
    POD_SECURITY,
    RELEASE_NAMESPACE,
    labelled,
    metadata,
)

REPORTS: Final = "weighbridge-reports"
IS_ENABLED: Final = is_set("reports.enabled")
#: The Service and the Deployment select pods by another name.
_LABELS: Final = {"app.kubernetes.io/name": REPORTS}
_RBAC: Final = "rbac.authorization.k8s.io"
#: A run that takes longer counts as hanging.
_MOST_SECONDS: Final = 1800


def objects() -> Iterator[tuple[str, Node]]:
    """The objects, each with its file."""
    reading, narrowing, *_ = cluster_roles()
    keeping = reporting_role()
    keeping["metadata"]["labels"] = labelled(LABELS)
    yield "rbac", _when({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata(REPORTS)})
    yield "rbac", _when(keeping)
    yield "rbac", _when(_binding(REPORTS, REPORTS))
    yield "rbac", _when(_binding(f"{REPORTS}-reading", reading["metadata"]["name"]))
    name = narrowing["metadata"]["name"]
    yield "rbac", _when(_binding(f"{REPORTS}-namespace-configuration", name), is_set("namespaceConfiguration"))
    yield "networkpolicy", _when(_network_policy(), is_set("networkPolicy"))
    yield "reports", _when(_cron_job())


def _when(content: JSONObject, condition: Condition | None = None) -> When:
    return When(IS_ENABLED if condition is None else both(IS_ENABLED, condition), content)


def _binding(name: str, role: str) -> JSONObject:
    return {
        "apiVersion": f"{_RBAC}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": name, "labels": labelled(LABELS)},
        "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": role},
        "subjects": [{"kind": "ServiceAccount", "name": REPORTS, "namespace": RELEASE_NAMESPACE}],
    }


def _network_policy() -> JSONObject:
    """The network policy. In: nothing. Out: DNS and the API server."""
    spec = {"podSelector": {"matchLabels": _LABELS}, "policyTypes": ["Ingress", "Egress"], "egress": [{"ports": [*ASKED]}]}
    return {"apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "metadata": metadata(REPORTS), "spec": spec}


def _cron_job() -> JSONObject:
    pod = {
        "serviceAccountName": REPORTS,
        "restartPolicy": "Never",
        "imagePullSecrets": setting("image.pullSecrets"),
        "nodeSelector": setting("nodeSelector"),
        "tolerations": setting("tolerations"),
        "securityContext": POD_SECURITY,
        "containers": [_container()],
        "volumes": [{"name": "configuration", "configMap": {"name": NAME}}, {"name": "temporary", "emptyDir": {"sizeLimit": "64Mi"}}],
    }
    job = {
        # A failed run is repeated only at the next scheduled time.
        "backoffLimit": 0,
        "activeDeadlineSeconds": _MOST_SECONDS,
        "template": {"metadata": {"labels": labelled(_LABELS), "annotations": setting("podAnnotations")}, "spec": pod},
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": metadata(REPORTS),
        "spec": {
            "schedule": setting("reports.schedule"),
            "concurrencyPolicy": "Forbid",
            "successfulJobsHistoryLimit": 1,
            "failedJobsHistoryLimit": 1,
            "jobTemplate": {"spec": job},
        },
    }


def _container() -> JSONObject:
    return {
        "name": "audit",
        "image": IMAGE,
        "imagePullPolicy": setting("image.pullPolicy"),
        "args": ["audit", "--report", "--isolated", f"--config={CONFIGURATION}/configuration.yaml"],
        "env": [{"name": "WEIGHBRIDGE_CACHE", "value": "/tmp/weighbridge"}],  # noqa: S108 - the pod's own
        "resources": setting("resources"),
        "securityContext": CONTAINER_SECURITY,
        "volumeMounts": [
            {"name": "configuration", "mountPath": CONFIGURATION, "readOnly": True},
            {"name": "temporary", "mountPath": "/tmp"},  # noqa: S108 - the pod's own
        ],
    }
