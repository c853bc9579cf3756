"""Operators with given flags, which are read from their Deployment in a cluster."""

from __future__ import annotations

from collections.abc import Iterable

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.llmkube.operator import NEWEST, KnownOperator, operator_of
from weighbridge.policies.families.upstream_versions import Version


def operator_of_flags(flags: Iterable[str], version: Version = NEWEST) -> KnownOperator:
    """The operator whose Deployment has these flags (``--dri-render-gid=991``) and an image of this version."""
    image = f"ghcr.io/defilantech/llmkube-controller:{'.'.join(map(str, version))}"
    containers = [{"name": "manager", "image": image, "args": list(flags)}]
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "llmkube-controller-manager", "namespace": "llmkube-system"},
        "spec": {"template": {"spec": {"containers": containers}}},
    }
    return operator_of(from_objects([deployment], Definitions()), DEFAULT)
