#!/bin/sh
# Installs the engines that ours is measured against: install-others.sh VENV. Where there is no wheel of one, `make bench` says so.
set -eu
"$1/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes --no-deps --requirement requirements-bench.lock ||
  echo "Not all other engines could be installed here; those that are missing aren't measured." >&2
