"""Structural schemas of CustomResourceDefinitions: default, prune and validate as the API server does.

`node` is a schema as JSON, and `structure` has its places. `compiled` has the schema ready for use, with functions that `emit` writes. If
they find a value invalid, `explain` finds the error, with the texts in `errors`. `formats`, `patterns` with `regex`, `numbers` and
`lists` implement keywords; `metadata_decode`, `object_meta` and `names` handle metadata as the server does; `ratchet` has the errors
that the server accepts on an update, and `kept_units` what another run has compiled.
"""
