"""The resources that the tests of this room speak of, and the way a request takes."""

from __future__ import annotations

import pytest

from policies.apiserver.definitions import Definitions, ResourceDefinition
from policies.objects import GroupVersionKind
from tests.apiserver.probe import PLAIN_CRD, PROBE_CRD


@pytest.fixture(scope="session")
def definitions() -> Definitions:
    """Both test resources."""
    known = Definitions.from_manifests([PROBE_CRD, PLAIN_CRD])
    assert not known.issues
    return known


@pytest.fixture(scope="session")
def probe(definitions: Definitions) -> ResourceDefinition:
    """A namespaced kind with status, scale, rules and embedded objects."""
    definition = definitions.get(GroupVersionKind("weighbridge.test", "v1", "Probe"))
    assert definition is not None
    return definition


@pytest.fixture(scope="session")
def old_probe(definitions: Definitions) -> ResourceDefinition:
    """The deprecated version of the same kind, which isn't the stored one."""
    definition = definitions.get(GroupVersionKind("weighbridge.test", "v1alpha1", "Probe"))
    assert definition is not None
    return definition


@pytest.fixture(scope="session")
def plain(definitions: Definitions) -> ResourceDefinition:
    """A cluster-scoped kind without subresources or rules."""
    definition = definitions.get(GroupVersionKind("weighbridge.test", "v1", "Plain"))
    assert definition is not None
    return definition
