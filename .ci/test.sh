#!/bin/sh
# Runs every test: test.sh BIN, with one worker more than there are cores, up to five, since some wait for servers to start. A file's tests
# stay in one process, which makes what they share once; tests/house/order.py puts long ones first.
# With CI=true branch coverage is measured as well; its floor is in pyproject.toml.
set -eu
bin=$1
set --
if [ "${CI:-}" = true ]; then
  set -- --cov --cov-report=
fi
# Tests start hundreds of commands, each of which would compile the modules anew.
unset PYTHONDONTWRITEBYTECODE
"$bin/python" -m compileall -q policies webhook certs
workers=$("$bin/python" -c 'import os; print(min((os.cpu_count() or 1) + 1, 5))')
exec "$bin/python" -m pytest -q -n "$workers" --dist loadfile --no-loadscope-reorder "$@"
