#!/bin/sh
# Resolves pyproject.toml into requirements.lock, for every platform and with hashes; the file names no package index.
set -eu
"$1/uv" pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
  --generate-hashes --no-annotate --no-header --no-emit-index-url --upgrade --quiet --output-file requirements.lock
echo "Wrote requirements.lock"
