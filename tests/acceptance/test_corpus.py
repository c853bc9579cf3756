"""Upstream's own definitions: a server accepts each of them."""

from __future__ import annotations

from pathlib import Path

from tests.acceptance.corpus import corpus_definitions
from weighbridge.policies.apiserver.acceptance import acceptance_errors


def test_every_upstream_definition_is_accepted(shared: Path) -> None:
    found = corpus_definitions(shared)
    refused = {name: [str(error) for error in errors] for name, crd in found if (errors := acceptance_errors(crd))}
    assert refused == {}
    assert len(found) == 57
