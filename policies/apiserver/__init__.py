"""What kube-apiserver itself does to a custom resource, offline: decode, default and validate, with its messages.

Measured against kube-apiserver 1.34 to 1.37 (docs/exactness.md). Values that only a running server knows (uid, timestamps, resource
versions, generated names, whether a namespace exists) are left out or unchanged, never invented.
"""

from __future__ import annotations

from weighbridge.policies.apiserver.admission import Decoded, Refusal, Validated, decode, headers, redefault, validate
from weighbridge.policies.apiserver.definition_reader import DefinitionIssue
from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition

__all__ = [
    "Decoded", "DefinitionIssue", "Definitions", "Refusal", "ResourceDefinition", "Validated", "decode", "headers", "redefault", "validate",
]  # fmt: skip
