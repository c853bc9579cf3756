"""Checks offline whether kube-apiserver 1.36 would accept a CustomResourceDefinition, with its messages.

`definition_admission` runs the steps: `typed_decode` reads a definition into Go's types, `definition_validation` and `spec_validation`
check it, with `schema_validation` for each schema and `schema_rules` for CEL. `options` and `stored_options` say which checks an update may
skip; `stored_form` makes the object with which the server answers.
"""

from __future__ import annotations

from weighbridge.policies.apiserver.acceptance.definition_admission import KIND, acceptance_errors, decode_definition, validate_definition

__all__ = ["KIND", "acceptance_errors", "decode_definition", "validate_definition"]
