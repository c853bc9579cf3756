"""The resources of these tests, and a real server that has them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

import pytest

from tests.apiserver.nest import NEST_CRD
from tests.apiserver.probe import PLAIN_CRD, PROBE_CRD
from tests.apiserver.server import Server
from tests.programs.control_plane.crds import install_crds
from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.ground.objects import GroupVersionKind
from weighbridge.policies.ground.server_release import ServerRelease, release


@pytest.fixture
def definitions() -> Definitions:
    """Two test resources, as the release in force serves them."""
    return _definitions(release())


@cache
def _definitions(server: ServerRelease) -> Definitions:
    known = Definitions.from_manifests([PROBE_CRD, PLAIN_CRD], server=server)
    assert not known.issues
    return known


@pytest.fixture
def probe(definitions: Definitions) -> ResourceDefinition:
    """A namespaced kind with status, scale, rules and embedded objects."""
    definition = definitions.get(GroupVersionKind("weighbridge.test", "v1", "Probe"))
    assert definition is not None
    return definition


@pytest.fixture
def old_probe(definitions: Definitions) -> ResourceDefinition:
    """The deprecated version of the same kind, which isn't the stored one."""
    definition = definitions.get(GroupVersionKind("weighbridge.test", "v1alpha1", "Probe"))
    assert definition is not None
    return definition


@pytest.fixture
def plain(definitions: Definitions) -> ResourceDefinition:
    """A cluster-scoped kind without subresources or rules."""
    definition = definitions.get(GroupVersionKind("weighbridge.test", "v1", "Plain"))
    assert definition is not None
    return definition


@pytest.fixture
def nest() -> ResourceDefinition:
    """A kind whose fields are all embedded objects."""
    return _nest(release())


@cache
def _nest(server: ServerRelease) -> ResourceDefinition:
    definition = Definitions.from_manifests([NEST_CRD], server=server).get(GroupVersionKind("weighbridge.test", "v1", "Nest"))
    assert definition is not None
    return definition


@pytest.fixture(scope="module")
def server(control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that knows the test resources, until the end of a module."""
    folder = tmp_path_factory.mktemp("crds")
    crds = (PROBE_CRD, PLAIN_CRD, NEST_CRD)
    for crd in crds:
        path = folder / f"{crd['metadata']['name']}.yaml"
        path.write_text(json.dumps(crd))
        install_crds(control_plane, path)
    client = Server(control_plane)
    yield client
    client.close()
    control_plane.kubectl("delete", "crd", *(crd["metadata"]["name"] for crd in crds), check=True)
