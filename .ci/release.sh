#!/bin/sh
# Makes in dist/ what a release is made of, and signs it: release.sh BIN KEY, a private key of OpenSSH.
set -eu
bin=$1
key=$2
if [ ! -r "$key" ]; then
  echo "'$key' can't be read; name the private key to sign with, as in: make release KEY=~/.ssh/release" >&2
  exit 2
fi
rm -rf dist
"$bin/uv" build --quiet --no-build-isolation --python "$bin/python" --out-dir dist
rm -f dist/.gitignore
"$bin/python" -m deploy.image.build
helm=$("$bin/python" -m tests.programs.control_plane.tools | sed -n 1p)
"$helm" package deploy/chart --destination dist
cp deploy/install.yaml deploy/deny.yaml deploy/reports.yaml dist/
sh .ci/sign.sh dist "$key"
