#!/bin/sh
# The long comparisons: differential.sh BIN. Property tests draw other examples each time, which they don't in the gate.
set -eu
bin=$1
"$bin/python" -m tests.programs.differential
"$bin/python" -m tests.programs.scheduler
"$bin/python" -m tests.programs.scheduler.busy
"$bin/python" -m tests.programs.devices
"$bin/python" -m tests.programs.rules
"$bin/python" -m tests.programs.definitions
"$bin/python" -m tests.programs.mutations
"$bin/python" -m tests.programs.mutations --built-in
"$bin/python" -m tests.programs.pod_security
"$bin/python" -m tests.programs.quota_sums
"$bin/python" -m tests.programs.policies
"$bin/python" -m tests.programs.type_checks
# The other releases of Kubernetes, each of which takes minutes to build the first time.
"$bin/python" -m tests.programs.releases
env -u CI "$bin/python" -m pytest -q -m hypothesis
