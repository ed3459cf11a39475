#!/bin/sh
# Trains the shipped models anew, from any folder of the checkout: about five minutes on two cores.
set -eu
cd "$(dirname "$0")"
go build -o make.out ../../../cmd/ddps
trap 'rm -rf make.out make.run' EXIT

make() { # NAME, then what train is told
	name=$1
	shift
	rm -rf make.run
	./make.out train --graph "$name" --preset paper "$@" -o make.run
	cp make.run/model.safetensors "$name.safetensors"
	cp make.run/config.toml "$name.toml"
}

make toy --hold 0 --kappa 0 --steps 1000
make heights --model mixture
make names --model stack --config half.toml
