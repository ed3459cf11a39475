#!/usr/bin/env bash
# Compares training and sampling on a GPU with the host, and measures both, in at most ten minutes:
#
#	bench/gpu.sh DIR [PLUGIN]             on xla:cuda, report in DIR/gpu.md and DIR/gpu.json
#	BACKEND=xla:cpu bench/gpu.sh DIR      the same on XLA's CPU, to try the script
#
# PLUGIN is a PJRT plugin or the wheel or archive that holds one (environment.md names it); without it the plugin that
# is installed is taken. CUDA's libraries are looked for as environment.md says. It needs Go and a C compiler, and no
# network where the module cache is filled (go mod download).
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
backend=${BACKEND:-xla:cuda}
plugin=${2:+$(realpath "$2")}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() {
	printf '%s\n' "gpu.sh: $*" >&2
	exit 1
}

command -v nvidia-smi >/dev/null && nvidia-smi -L >&2
export CGO_ENABLED=1
timeout 400 bash -c 'go build -tags xla -o "$1/" ./cmd/ddps && go build -C bench -tags xla -o "$1/bench" .' - "$dir" || die "the programs were not built, or not within 400 s"
export GOMLX_NO_AUTO_INSTALL=1
if [ -n "$plugin" ]; then
	"$dir/ddps" backend install "$backend" --quiet --from "$plugin" --dir "$dir/plugins"
	export PJRT_PLUGIN_LIBRARY_PATH=$dir/plugins:$dir/plugins/nvidia
fi
"$dir/ddps" backend check "$backend" >&2
# products in float32, not in TF32, whose rounding would decide more paths otherwise
left=$((590 - SECONDS))
rm -f "$dir/gpu.md"
NVIDIA_TF32_OVERRIDE=0 timeout "$left" "$dir/bench" gpu "$backend" "$dir" $((left - 20)) || status=$?
[ -f "$dir/gpu.md" ] || die "no part ended within $left s"
cat "$dir/gpu.md"
exit "${status:-0}"
