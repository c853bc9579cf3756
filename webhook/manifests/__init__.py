"""Manifests as kubectl 1.36 reads them, with the place of every field.

`sources` finds and reads files, `documents` divides and decodes one, `standing` finds the manifests among them, and `manifests` splits
lists. No function here raises for a user's error, which becomes an `InputIssue`.
"""

from __future__ import annotations

from weighbridge.webhook.manifests.documents import ABSENT, Document, InputIssue, IssueKind, PassedOver, Position, Span
from weighbridge.webhook.manifests.files import DEFAULT_MAX_BYTES, STDIN, Source, sources
from weighbridge.webhook.manifests.flatten import Manifest, Standing, manifests, standing
from weighbridge.webhook.manifests.stream import documents

__all__ = [
    "ABSENT", "DEFAULT_MAX_BYTES", "STDIN", "Document", "InputIssue", "IssueKind", "Manifest", "PassedOver", "Position", "Source", "Span",
    "Standing", "documents", "manifests", "sources", "standing",
]  # fmt: skip
