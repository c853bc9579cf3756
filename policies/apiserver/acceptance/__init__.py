"""Would the server take this CustomResourceDefinition? What kube-apiserver 1.36 says when a definition is written, offline.

`definition_admission` is the way of a definition: `typed_decode` reads it into Go's types, `definition_validation` and below it
`spec_validation` judge it, with `schema_validation` for each schema and `schema_rules` for CEL. `options` and `stored_options` are what an
update need not keep; `stored_form` is what the server answers with.
"""

from __future__ import annotations

from weighbridge.policies.apiserver.acceptance.definition_admission import KIND, acceptance_errors, decode_definition, validate_definition

__all__ = ["KIND", "acceptance_errors", "decode_definition", "validate_definition"]
