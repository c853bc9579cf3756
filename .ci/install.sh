#!/bin/sh
# Makes the environment: install.sh PYTHON VENV. Every package is pinned by hash; the project itself is installed editable.
set -eu
python=$1
venv=$2
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "weighbridge needs Python 3.11 or newer: '$python' is $("$python" --version 2>&1 || echo missing). Set PYTHON, as in: make install PYTHON=python3.12" >&2
  exit 2
fi
echo "Making $venv with $("$python" --version) and the packages of requirements.lock"
"$python" -m venv "$venv"
install_with_pip() {
  # The file is the whole resolution: pip 23.2 would look for `coverage[toml]` again, and refuse a release that came out later.
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --requirement /dev/stdin
}
# uv needs a quarter of pip's time, so pip installs uv and uv installs the rest. But uv doesn't read pip's configuration: pip installs
# everything where its configuration names an index, and where uv fails. Then the error that you see is pip's.
awk '/^[^ ]/ { is_uv = /^uv==/ } is_uv' requirements.lock | install_with_pip
if "$venv/bin/python" -m pip config list | grep -q -e index-url -e no-index ||
  ! "$venv/bin/uv" pip install --quiet --no-cache --python "$venv/bin/python" --native-tls --compile-bytecode --require-hashes --no-deps \
    --requirement requirements.lock 2>/dev/null; then
  install_with_pip <requirements.lock
fi
# uv's script begins with ours; what older versions of pip write imports more before, where an interrupt still prints a traceback.
"$venv/bin/uv" pip install --quiet --no-cache --python "$venv/bin/python" --no-build-isolation --no-deps --editable .
echo "Installed: $venv/bin/weighbridge"
