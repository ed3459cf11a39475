#!/usr/bin/env bash
# Sets up Jupyter for this module: setup.sh [FOLDER], the folder of the Python environment, .venv by default.
# In it go the pinned JupyterLab and its like and the kernelspec of the program out/ddps; the tools behind the kernel
# and the build cache that is warmed are the user's. All is pinned, and what is there already is not made again.
# PYTHON names the Python to use. To renew the pins: change requirements.txt, and then
#   uv pip compile notebooks/requirements.txt --universal --python-version 3.11 --generate-hashes --no-annotate \
#     --no-header -o notebooks/requirements.lock
set -euo pipefail
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$repo/.venv
if [ $# -gt 0 ]; then
	mkdir -p "$(dirname "$1")"
	venv=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
fi
cd "$repo"

say() { printf '%s\n' "setup: $*"; }
die() {
	printf '%s\n' "setup: $*" >&2
	exit 1
}

find_go() {
	command -v go >/dev/null || PATH=$PATH:/usr/local/go/bin:/opt/homebrew/bin
	command -v go >/dev/null || die "there is no go command in PATH; install Go 1.26 or later from https://go.dev/dl"
	local want have
	want=$(sed -n 's/^go //p' go.mod)
	have=$(go env GOVERSION 2>&1) || die "Go $want is needed, and $(command -v go) cannot fetch it: $have
Install it from https://go.dev/dl, or let Go fetch it: GOTOOLCHAIN=auto"
	[ "$(printf '%s\n' "$want" "${have#go}" | sort -V | head -n 1)" = "$want" ] ||
		die "Go $want is needed, and $(command -v go) is $have; install it from https://go.dev/dl"
}

find_python() {
	python=${PYTHON:-python3}
	command -v "$python" >/dev/null || die "there is no $python in PATH; install Python 3.11 or later, or name one: PYTHON=/path/to/python3"
	"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
		die "$("$python" --version 2>&1) is too old; Python 3.11 or later is needed; name one: PYTHON=/path/to/python3"
	"$python" -c 'import ensurepip, venv' 2>/dev/null ||
		die "$("$python" --version 2>&1) cannot make environments; on Debian and Ubuntu: apt install python3-venv"
	python=$("$python" -c 'import sys; print(sys._base_executable)') # not one of an environment, which may be this one
}

# The mark in the environment says what it was made from and where, as its scripts hold its path.
jupyter() {
	local mark
	mark=$(printf '%s\n' "$venv"; "$python" -c 'import sys; print(sys.version)'; cat notebooks/requirements.lock)
	if [ -f "$venv/made-from" ] && [ "$mark" = "$(cat "$venv/made-from")" ]; then
		return
	fi
	[ ! -e "$venv" ] || [ -f "$venv/pyvenv.cfg" ] || die "$venv is there and no Python environment; name another folder"
	say "Jupyter goes to $venv"
	"$python" -m venv --clear "$venv"
	"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r notebooks/requirements.lock ||
		die "Jupyter's packages could not be installed. Without a network, or behind a proxy, tell pip where to find them:
PIP_INDEX_URL, HTTPS_PROXY, or PIP_NO_INDEX=1 with PIP_FIND_LINKS=/folder/of/wheels"
	mkdir -p "$venv/etc/jupyter/labconfig" # JupyterLab asks nobody for news and updates
	printf '%s\n' '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}' >"$venv/etc/jupyter/labconfig/page_config.json"
	mkdir -p "$venv/share/jupyter/lab/settings" # JupyterLab waits a second for completions, and a compiler needs longer at times
	printf '%s\n' '{"@jupyterlab/completer-extension:manager": {"providerTimeout": 5000}}' >"$venv/share/jupyter/lab/settings/overrides.json"
	printf '%s\n' "$mark" >"$venv/made-from"
}

kernel() {
	say "building out/ddps"
	CGO_ENABLED=${CGO_ENABLED:-0} go build -o out/ ./cmd/ddps ||
		die "the program does not build. If modules are missing: Go fetches them from $(go env GOPROXY); environment.md, Without a network, tells more"
	out/ddps kernel install --sys-prefix ||
		die "the kernel could not be installed. Its tools' modules come from $(go env GOPROXY)"
}

# The cache is warm for a program and a cache at a time.
warm() {
	local mark
	mark=$(go env GOCACHE GOVERSION && cksum <out/ddps)
	if [ -f "$venv/warm-for" ] && [ "$mark" = "$(cat "$venv/warm-for")" ]; then
		return
	fi
	say "warming the build cache; this takes a minute or two, once"
	(cd notebooks && ../out/ddps kernel warm)
	printf '%s\n' "$mark" >"$venv/warm-for"
}

find_go
find_python
jupyter
export VIRTUAL_ENV=$venv PATH=$venv/bin:$PATH
kernel
warm
(cd notebooks && ../out/ddps doctor --notebooks)
