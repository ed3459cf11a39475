# make help lists what there is. All of it is one go command each.
.PHONY: help build test ci fuzz bench golden quickstart clean
FUZZTIME ?= 30s

help: ## what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:[^#]*## /	/'

build: ## the program, without cgo, as ./out/ddps
	CGO_ENABLED=0 go build -o out/ddps ./cmd/ddps

test: ## all tests
	go test -timeout 30m ./...

ci: ## all that must hold before a change goes in
	.ci/run

fuzz: ## each fuzz target for FUZZTIME
	@for pkg in $$(go list ./...); do for f in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
		go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; done; done

bench: ## all benchmarks
	go test -run '^$$' -bench . -benchmem ./...

golden: ## rewrite the figures that tests compare with
	go test ./plots -run Golden -regen

quickstart: ## the main job, on Toy and on a street map
	go run ./cmd/ddps quickstart

clean: ## what make and the commands of the README write here
	rm -rf out quickstart
