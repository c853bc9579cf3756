# Every target is one line that calls a tool or a script; `make` alone lists them.
.DEFAULT_GOAL := help
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
OTHERS := $(VENV)/.others

.PHONY: help install demo check test case family words garble lint format differential mutants soak chaos fuzz bench control-plane image release schemas upstream lock clean

##@ What a change needs
help: ## list the targets
	@awk -F ':.*## ' '/^##@ /{printf "%s\n", substr($$0, 5)} /^[a-z-]+:.*## /{printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

check: $(STAMP) ## format, write what is generated, lint, and run the tests that your change can reach, in two minutes (ARGS="--since HEAD~1")
	@$(BIN)/python -m tests.programs.check $(ARGS)

test: $(STAMP) control-plane ## lint, and run every test, with the real control plane where Go or its binaries are there
	@sh .ci/test.sh "$(BIN)" "$(MAKE)"

##@ Parts of it alone
install: $(STAMP) ## make .venv with the command in .venv/bin/weighbridge

$(STAMP): requirements.lock pyproject.toml
	@sh .ci/install.sh "$(PYTHON)" "$(VENV)"
	@touch $@

case: $(STAMP) ## run one case through all doors: make case NAME=<folder of tests/cases>
	@sh .ci/case.sh "$(BIN)" "$(NAME)"

family: $(STAMP) ## write a small family to begin with: make family NAME=<name> CRD=<file with the CRD of its kind>
	@$(BIN)/python -m tests.programs.family "$(NAME)" "$(CRD)"

words: $(STAMP) ## write anew the files that a rule's words are compared with (ARGS=llmkube for one family), and list the cases whose verdict differs
	@$(BIN)/python -m tests.programs.words $(ARGS)

schemas: $(STAMP) ## write the generated files anew: JSON Schemas, the catalogue of rules, the permissions
	@$(BIN)/python -m tests.programs.generated

format: $(STAMP) ## format the code
	@$(BIN)/ruff check --fix-only --quiet . && $(BIN)/ruff format .

lint: $(STAMP) ## style, import contracts and types
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/lint-imports && $(BIN)/mypy

upstream: $(STAMP) ## list what has changed upstream since it was read: make upstream FAMILY=llmkube DIR=<checkout> (REV=<commit> for another one)
	@$(BIN)/python -m tests.programs.upstream "$(FAMILY)" "$(DIR)" "$(REV)"

##@ To try and to measure
demo: $(STAMP) ## show the main job: a webhook over TLS, a refusal, a mutation, a dry run, a lint
	@$(BIN)/python -m tests.programs.demo

bench: $(STAMP) $(OTHERS) ## speed, as ratios to a reference in the same run
	@$(BIN)/python -m tests.programs.benchmarks

$(OTHERS): requirements-bench.lock $(STAMP)
	@sh .ci/install-others.sh "$(VENV)"
	@touch $@

##@ Before a release; an hour or so each
differential: $(STAMP) control-plane ## the long comparisons with the real kube-apiserver and kube-scheduler (an hour or so)
	@sh .ci/differential.sh "$(BIN)"

mutants: $(STAMP) ## change the code in small ways, and count how many of them tests notice (a sample; an hour the first time, then half)
	@$(BIN)/python -m tests.programs.mutants $(ARGS)

garble: $(STAMP) ## change the words of all rules, and count those whose tests fail
	@$(BIN)/python -m tests.programs.garble

soak: $(STAMP) control-plane ## an hour of load, replacements and hostile clients through kube-apiserver (ARGS="--minutes 3" for a short form)
	@$(BIN)/python -m tests.programs.soak $(ARGS)

chaos: $(STAMP) control-plane ## kill, cut, slow and flood things under load (ARGS='--only etcd' for one), and print a table
	@$(BIN)/python -m tests.programs.chaos $(ARGS)

fuzz: $(STAMP) ## send a million requests that no client should send (ARGS="--count 10000" for fewer)
	@$(BIN)/python -m tests.programs.fuzz $(ARGS)

##@ To build
control-plane: ## build etcd, kube-apiserver, kube-scheduler and kubectl once (about 5 minutes on two cores, needs Go)
	@sh .ci/control-plane.sh "$(PYTHON)"

image: $(STAMP) ## build the container images (the server, and one for CI) into dist/, with their bills of materials (needs Debian 12)
	@$(BIN)/python -m deploy.image.build

release: $(STAMP) ## make packages, image, chart and manifests in dist/, and sign them: make release KEY=<private key of OpenSSH>
	@sh .ci/release.sh "$(BIN)" "$(KEY)"

lock: $(STAMP) ## pin what pyproject.toml names anew; with UPGRADE=--upgrade everything
	@sh .ci/lock.sh "$(BIN)" $(UPGRADE)

clean: ## remove the environment and all caches of the checkout
	@rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache .coverage .hypothesis .import_linter_cache
