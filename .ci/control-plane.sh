#!/bin/sh
# Builds the binaries of the test control plane unless KUBEBUILDER_ASSETS names a folder that has them or Go is missing, and also
# the programs of the scheduler's allocator, of rules and of type checks, helm and the engine of PromQL. What is missing then is said by the tests: skipped, or with CI=true a failure.
set -eu
python=$1
if [ -n "${KUBEBUILDER_ASSETS:-}" ]; then
  echo "Using the control plane in KUBEBUILDER_ASSETS"
elif "$python" tests/programs/control_plane/build.py --print >/dev/null 2>&1; then
  :
elif command -v go >/dev/null 2>&1; then
  "$python" tests/programs/control_plane/build.py
else
  echo "Neither KUBEBUILDER_ASSETS nor Go: the tests that need a control plane can't run"
fi
"$python" -m tests.programs.devices.judge >/dev/null || echo "Without the allocator its tests can't run"
"$python" -m tests.programs.rules.judge >/dev/null || echo "Without the API server's code for rules its test can't run"
"$python" -m tests.programs.type_checks.judge >/dev/null || echo "Without the controller's type checker its test can't run"
"$python" -m tests.programs.control_plane.tools >/dev/null || echo "Without helm and PromQL the tests of the chart and the alerts can't run"
