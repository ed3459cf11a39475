# make help lists what there is. All of it is a command or two.
.PHONY: help build setup lab notebooks test fuzz bench bench-peers golden quickstart clean
FUZZTIME ?= 30s

help: ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:[^#]*## /	/'

build: ## the program, without cgo, as ./out/ddps
	CGO_ENABLED=0 go build -o out/ddps ./cmd/ddps

setup: ## Jupyter, the kernel and a warm build cache, in .venv
	notebooks/setup.sh

lab: setup ## JupyterLab on the notebooks; LABFLAGS=... adds options
	cd notebooks && PATH="$(CURDIR)/.venv/bin:$$PATH" jupyter lab $(LABFLAGS)

notebooks: setup ## run all notebooks, to out/notebooks; DDPS_PRESET=paper for the paper's sizes
	.venv/bin/python notebooks/run.py

test: ## all that must hold before a change goes in
	.ci/run

fuzz: ## each fuzz target for FUZZTIME
	@for pkg in $$(go list ./...); do for f in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
		go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x $$pkg || exit 1; done; done

bench: ## all benchmarks
	go test -run '^$$' -bench . -benchmem ./...

bench-peers: ## speed beside PyTorch's, to docs/speed.md; BENCHFLAGS=-quick takes minutes
	go run -C bench . $(BENCHFLAGS)

golden: ## rewrite the figures that tests compare with
	go test ./plots -run Golden -regen

quickstart: ## the main job, on Toy and on a street map
	go run ./cmd/ddps quickstart

clean: ## what make and the commands of the README write here
	rm -rf out quickstart .venv
