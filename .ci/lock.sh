#!/bin/sh
# Resolves pyproject.toml into requirements.lock, for every platform and with hashes; the file names no package index.
# What is pinned already stays as it is; `make lock UPGRADE=--upgrade` takes the newest of everything.
set -eu
bin=$1
shift
options="--universal --python-version 3.11 --generate-hashes --no-annotate --no-header --no-emit-index-url --quiet"
# shellcheck disable=SC2086 # the options are several words
"$bin/uv" pip compile pyproject.toml --all-extras --group dev $options "$@" --output-file requirements.lock
# shellcheck disable=SC2086
"$bin/uv" pip compile --group bench $options "$@" --constraints requirements.lock --output-file requirements-bench.lock
echo "Wrote requirements.lock and requirements-bench.lock"
