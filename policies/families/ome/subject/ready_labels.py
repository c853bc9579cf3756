"""The label that a node has once it has a model's files.

Source: OME v0.1.5, pkg/constants/constants.go.
"""

from __future__ import annotations

import hashlib
from typing import Final

READY: Final = "Ready"
_DOMAIN: Final = "models.ome.io/"
_LONGEST_CLUSTER_NAME: Final = 32
_LONGEST_TOGETHER: Final = 38
_LONGEST_NAMESPACE: Final = 8


def ready_label(namespace: str, name: str) -> str:
    """The label's name; `namespace` is empty for a ClusterBaseModel."""
    if not namespace:
        return f"{_DOMAIN}clusterbasemodel.{_shortened(name, _LONGEST_CLUSTER_NAME)}"
    if len(namespace) + len(name) <= _LONGEST_TOGETHER:
        return f"{_DOMAIN}{namespace}.basemodel.{name}"
    room = min(len(namespace), _LONGEST_NAMESPACE)
    return f"{_DOMAIN}{_shortened(namespace, room)}.basemodel.{_shortened(name, _LONGEST_TOGETHER - room)}"


def _shortened(name: str, length: int) -> str:
    """A name that is too long becomes a hash of it and its end."""
    if len(name) <= length:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    kept = length - len(digest) - 1
    return f"{digest}-{name[-kept:]}" if kept > 0 else digest
