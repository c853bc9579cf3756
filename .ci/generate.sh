#!/bin/sh
# Writes what is generated from code; tests say when it is no longer current.
set -eu
bin=$1
"$bin/weighbridge" schema --write docs/schemas
"$bin/python" -m tests.programs.rule_examples
"$bin/python" -m tests.programs.rule_kinds
"$bin/python" -m tests.programs.formats
"$bin/weighbridge" schema openapi > docs/schemas/openapi.json
"$bin/weighbridge" rules --write .
mkdir -p deploy
"$bin/weighbridge" rules -o rbac > deploy/cluster-roles.yaml
"$bin/weighbridge" manifests --write deploy
