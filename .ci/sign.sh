#!/bin/sh
# Lists the checksums of the files in a folder in SHA256SUMS there, and signs the list: sign.sh FOLDER KEY, a private key of OpenSSH.
set -eu
folder=$1
key=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
cd "$folder"
rm -f SHA256SUMS SHA256SUMS.sig
sums=$(LC_ALL=C sha256sum -- *)
printf '%s\n' "$sums" > SHA256SUMS
ssh-keygen -q -Y sign -f "$key" -n weighbridge-release SHA256SUMS
echo "Wrote $folder/SHA256SUMS and $folder/SHA256SUMS.sig"
