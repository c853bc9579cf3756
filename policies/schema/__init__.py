"""Structural schemas of CustomResourceDefinitions: default, prune and validate as the API server does.

`node` is a schema as JSON has it, `structure` its places. `compiled` is a schema ready for use, by functions that `emit` writes; where
they find a value invalid, `explain` says what is wrong, in the words of `errors`. `formats`, `patterns` with `regex`, `numbers` and
`lists` know what keywords mean, `metadata_decode`, `object_meta` and `names` how the server handles metadata, `ratchet` what it lets
pass on an update, and `kept_units` what another run has compiled.
"""
