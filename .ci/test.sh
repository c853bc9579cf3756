#!/bin/sh
# Runs every test, on up to four cores: test.sh BIN. With CI=true branch coverage is measured as well; its floor is in pyproject.toml.
set -eu
bin=$1
set --
if [ "${CI:-}" = true ]; then
  set -- --cov --cov-report=
fi
exec "$bin/python" -m pytest -q -n auto --maxprocesses 4 --dist worksteal "$@"
