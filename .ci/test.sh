#!/bin/sh
# Runs lint and every test: test.sh BIN MAKE. The tests have one worker more than there are cores, up to five, since some wait for servers to
# start. A file's tests stay in one process, which makes what they share once; tests/house/order.py puts long ones first.
# With CI=true branch coverage is measured as well; its floor is in pyproject.toml.
set -eu
bin=$1
make=$2
set --
if [ "${CI:-}" = true ]; then
  set -- --cov --cov-report=
fi
# Tests start hundreds of commands, each of which would compile the modules anew.
unset PYTHONDONTWRITEBYTECODE
"$bin/python" -m compileall -q policies webhook certs
# The type checker uses one core for more than a minute, so the tests run at the same time. Its output comes at the end.
said=$(mktemp)
"$make" -s lint >"$said" 2>&1 &
lint=$!
trap 'kill "$lint" 2>/dev/null || true; rm -f "$said"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
workers=$("$bin/python" -c 'import os; print(min((os.cpu_count() or 1) + 1, 5))')
failed=0
"$bin/python" -m pytest -q -n "$workers" --dist loadfile --no-loadscope-reorder "$@" || failed=$?
wait "$lint" || failed=$?
cat "$said"
exit "$failed"
