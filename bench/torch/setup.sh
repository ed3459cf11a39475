#!/usr/bin/env bash
# Sets up PyTorch for the comparison: setup.sh FOLDER, the folder of the Python environment. All is pinned, and what is
# there already is not made again. PYTHON names the Python to use (3.11 or later).
set -euo pipefail
mkdir -p "$(dirname "$1")"
venv=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"

die() {
	printf '%s\n' "setup: $*" >&2
	exit 1
}

python=${PYTHON:-python3}
command -v "$python" >/dev/null || die "there is no $python in PATH; install Python 3.11 or later, or name one: PYTHON=/path/to/python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || die "$("$python" --version 2>&1) is too old; Python 3.11 or later is needed"
"$python" -c 'import ensurepip, venv' 2>/dev/null || die "$("$python" --version 2>&1) cannot make environments; on Debian and Ubuntu: apt install python3-venv"

mark=$("$python" -c 'import sys; print(sys.version)'; cat requirements.txt)
if [ -f "$venv/made-from" ] && [ "$mark" = "$(cat "$venv/made-from")" ]; then
	exit
fi
[ ! -e "$venv" ] || [ -f "$venv/pyvenv.cfg" ] || die "$venv is there and no Python environment; name another folder"
printf '%s\n' "setup: PyTorch goes to $venv: 3 GB to fetch, 5 GB on disk" >&2
"$python" -m venv --clear "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.txt ||
	die "PyTorch could not be installed. Without a network, or behind a proxy, tell pip where to find it:
PIP_INDEX_URL, HTTPS_PROXY, or PIP_NO_INDEX=1 with PIP_FIND_LINKS=/folder/of/wheels"
"$venv/bin/python" -c 'import torch' || die "PyTorch is installed and cannot be loaded"
printf '%s\n' "$mark" >"$venv/made-from"
