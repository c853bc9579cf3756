"""Would the server take this CustomResourceDefinition? What kube-apiserver 1.36 says when a definition is written, offline."""

from __future__ import annotations

from policies.apiserver.acceptance.definition_admission import KIND, acceptance_errors, decode_definition, validate_definition

__all__ = ["KIND", "acceptance_errors", "decode_definition", "validate_definition"]
