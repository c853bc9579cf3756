"""What kube-apiserver itself does to a custom resource, offline: decode, default, validate, in its words.

Measured against kube-apiserver 1.36. What only a running server can know (uid, timestamps, resource versions, generated names, whether a
namespace exists) is left out or left as it was, never invented.
"""

from __future__ import annotations

from weighbridge.policies.apiserver.admission import Decoded, Refusal, Validated, decode, headers, redefault, validate
from weighbridge.policies.apiserver.definition_reader import DefinitionIssue
from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition

__all__ = [
    "Decoded", "DefinitionIssue", "Definitions", "Refusal", "ResourceDefinition", "Validated", "decode", "headers", "redefault", "validate",
]  # fmt: skip
