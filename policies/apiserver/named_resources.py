"""The resources of built-in kinds without namespaces, for answers that name them."""

from __future__ import annotations

from weighbridge.policies.apiserver.definitions import ResourceDefinition, read_crd
from weighbridge.policies.ground.objects import GroupVersionKind


def built_in_resource(gvk: GroupVersionKind, plural: str) -> ResourceDefinition:
    """The resource of a kind."""
    (resource,) = read_crd(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.{gvk.group}"},
            "spec": {
                "group": gvk.group,
                "names": {"plural": plural, "kind": gvk.kind},
                "scope": "Cluster",
                "versions": [{"name": gvk.version, "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}],
            },
        }
    )
    return resource
