"""What tests of placement share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from weighbridge.policies.ground.server_release import judging, nearest


@pytest.fixture
def kubernetes_1_36() -> Iterator[None]:
    """Judge by Kubernetes 1.36, whose scheduler says more of claims than later ones."""
    release = nearest("1.36")
    assert release is not None
    with judging(release):
        yield
