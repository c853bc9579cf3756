#!/bin/sh
# Resolves pyproject.toml into requirements.lock, for every platform and with hashes; the file names no package index.
set -eu
options="--universal --python-version 3.11 --generate-hashes --no-annotate --no-header --no-emit-index-url --upgrade --quiet"
# shellcheck disable=SC2086 # the options are several words
"$1/uv" pip compile pyproject.toml --all-extras --group dev $options --output-file requirements.lock
# shellcheck disable=SC2086
"$1/uv" pip compile --group bench $options --constraints requirements.lock --output-file requirements-bench.lock
echo "Wrote requirements.lock and requirements-bench.lock"
