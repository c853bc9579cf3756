"""Upstream's own manifests, migrated."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import SHARED
from weighbridge.webhook.manifests import Source
from weighbridge.webhook.migration.files import Migrated, migrated

#: The manifests that name a group from which a kind or a field was removed.
FILES = [
    path
    for path in sorted((SHARED / "corpus").glob("*/samples/**/*.yaml"))
    if any(group in path.read_bytes() for group in (b"aim.silogen.ai", b"aim.eai.amd.com", b"inference.networking.x-k8s.io", b"llmaz.io"))
]


def of_file(path: Path) -> Migrated:
    """The migrated form of a file."""
    return migrated(Source(str(path), path.read_bytes()))


#: The migrated form of each file that changes.
CHANGED = [result for path in FILES if (result := of_file(path)).after != result.before]
