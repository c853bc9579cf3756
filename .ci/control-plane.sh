#!/bin/sh
# Builds the binaries of the test control plane unless KUBEBUILDER_ASSETS names a folder that has them or Go is missing.
set -eu
if [ -n "${KUBEBUILDER_ASSETS:-}" ]; then
  echo "Using the control plane in KUBEBUILDER_ASSETS"
elif "$1" tests/programs/control_plane/build.py --print >/dev/null 2>&1; then
  :
elif command -v go >/dev/null 2>&1; then
  "$1" tests/programs/control_plane/build.py
elif [ "${CI:-}" = true ]; then
  echo "The tests need a control plane: install Go, or set KUBEBUILDER_ASSETS" >&2
  exit 2
else
  echo "Neither KUBEBUILDER_ASSETS nor Go: the tests that need a control plane will be skipped"
fi
