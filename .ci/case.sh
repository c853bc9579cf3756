#!/bin/sh
# Runs one case folder through all doors: case.sh BIN NAME. The real API server is among them where it has been built.
set -eu
bin=$1
name=${2%/}
name=${name##*/}
if [ -z "$name" ] || ! ls -d tests/cases/*/"$name" >/dev/null 2>&1; then
  echo "'$2' is no case; name a folder of tests/cases, as in: make case NAME=refuses-a-bare-word-as-source" >&2
  exit 2
fi
exec "$bin/python" -m pytest -q tests/doors tests/e2e/test_agreement*.py -k "/$name]"
