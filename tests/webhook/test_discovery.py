"""The version in which a kind is read: the best of those that are served and that we can read."""

from __future__ import annotations

import asyncio

import pytest

from weighbridge.policies.facts.kinds import PLACEMENT_KINDS, ReadKind
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.discovery import UnknownVersionError, served
from weighbridge.webhook.cluster.kubernetes_api import APIError


class Groups:
    """A server with one group, as the plurals of each version, or one that refuses discovery."""

    def __init__(self, versions: dict[str, list[str]] | APIError) -> None:
        self._versions = versions

    async def get(self, path: str) -> JSONObject:
        if isinstance(self._versions, APIError):
            raise self._versions
        _, _, _, *version = path.split("/")
        if not version:
            return {"versions": [{"version": name} for name in self._versions]}
        return {"resources": [{"name": plural} for plural in self._versions[version[0]]]}


def kind(name: str) -> ReadKind:
    return next(found for found in PLACEMENT_KINDS if found.gvk.kind == name)


def version_of(name: str, versions: dict[str, list[str]] | APIError) -> str | None:
    found = asyncio.run(served(Groups(versions), kind(name)))
    return None if found is None else found.path


@pytest.mark.parametrize(
    ("name", "versions", "path"),
    [
        ("NodePool", {"v1": ["nodepools"], "v1beta1": ["nodepools"]}, "/apis/karpenter.sh/v1/nodepools"),
        ("NodePool", {"v1beta1": ["nodepools", "nodeclaims"]}, "/apis/karpenter.sh/v1beta1/nodepools"),
        ("MachineSet", {"v1beta1": ["machinesets"], "v1beta2": ["machinesets"]}, "/apis/cluster.x-k8s.io/v1beta2/machinesets"),
        ("MachinePool", {"v1beta2": ["machinesets"], "v1beta1": ["machinepools"]}, "/apis/cluster.x-k8s.io/v1beta1/machinepools"),
        ("MachinePool", {"v1beta2": ["machinesets"]}, None),
        ("ResourceClaim", APIError(404, "NotFound", ""), None),
        ("ResourceClaim", APIError(403, "Forbidden", ""), "/apis/resource.k8s.io/v1/resourceclaims"),
        ("Node", APIError(500, "not asked for", ""), "/api/v1/nodes"),
    ],
)
def test_a_kind_is_read_in_the_best_version_that_has_it(name: str, versions: dict[str, list[str]] | APIError, path: str | None) -> None:
    assert version_of(name, versions) == path


def test_versions_that_nobody_here_can_read_are_named() -> None:
    with pytest.raises(UnknownVersionError, match="served as v1alpha4, and only v1beta2, v1beta1 can be read"):
        version_of("MachineDeployment", {"v1alpha4": ["machinedeployments"], "v1alpha3": ["machines"]})


def test_a_server_that_fails_is_asked_again_by_whoever_asked() -> None:
    with pytest.raises(APIError):
        version_of("ResourceSlice", APIError(503, "ServiceUnavailable", ""))
