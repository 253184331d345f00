# Every target makes its own virtual environment; nothing has to be activated.
# All paths are relative, so that a clone may live under a path with spaces.

PYTHON ?= python3
VENV   ?= .venv
STORE  ?= sqlite
REF    ?= main
ARGS   ?=
N      ?= 5
# Two more than the cores of a small machine: many tests wait for a server, or for a process that was killed.
PROCESSES ?= 4

# What a stamp stands for is installed; a change of a pyproject.toml makes it stale.
FOR_USE := $(VENV)/.installed-cli
FOR_POSTGRES := $(VENV)/.installed-demo
FOR_DEV := $(VENV)/.installed-dev
FOR_DOCS := $(VENV)/.installed-docs
FOR_BROWSER := $(VENV)/.installed-browser

# Groups of tests stay together, and the order is kept: it begins with those that take longest.
SHARED_OUT = -n $(PROCESSES) --dist loadgroup --no-loadscope-reorder

export PIP_DISABLE_PIP_VERSION_CHECK = 1
# The tests start hundreds of processes. Where the environment forbids compiled files, each would compile the package anew.
export PYTHONDONTWRITEBYTECODE =

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-fast test-repeat test-again test-system test-browser screenshots simulate simulate-long mutants check docs bench bench-peers bench-compare soak chaos chaos-long power-cuts histories fuzz matrix clean

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile
	@printf '\n%s\n' 'PYTHON=python3.13 chooses the interpreter, ARGS="..." is handed on, for example: make test ARGS="-k lease"'

demo: $(if $(filter postgres,$(STORE)),$(FOR_POSTGRES),$(FOR_USE)) ## See executions survive a crash and obey an operator (STORE=sqlite or postgres)
	@$(VENV)/bin/python -m flowfabric.demo --store $(STORE) $(ARGS)

test: $(FOR_DEV) ## Run the tests
	@$(VENV)/bin/python -m pytest $(SHARED_OUT) $(ARGS)

# A test that runs on several stores has the store's name in its own. What is left out tries every case for half a minute.
test-fast: $(FOR_DEV) ## Run the tests of the rules and of the engine, on the memory store: less than a minute
	@$(VENV)/bin/python -m pytest $(SHARED_OUT) -k "not sqlite and not postgres" \
	  --ignore=tests/domain/test_replay_tables.py --ignore=tests/engine/test_year_of_schedules.py \
	  tests/domain tests/engine tests/stores/test_conformance.py $(ARGS)

test-repeat: $(FOR_DEV) ## Run the tests N=5 times, each on a fresh clone with other load beside it; goes on where it was stopped
	@$(VENV)/bin/python benchmarks/repeat.py "$(N)" --python "$(PYTHON)" $(ARGS)

test-again: $(FOR_DEV) ## Run the tests that failed in the last run, three times by themselves
	@$(VENV)/bin/python tools/tests_again.py

test-system: $(FOR_DEV) ## Run the tests that need PgBouncer, nginx, Caddy and systemd, packages of the operating system (two minutes)
	@$(VENV)/bin/python -m pytest tests/system $(ARGS)

test-browser: $(FOR_BROWSER) ## Run the tests of the dashboard in chromium, a package of the operating system (three minutes)
	@$(VENV)/bin/python -m pytest tests/browser $(ARGS)

screenshots: $(FOR_BROWSER) ## Make the pictures of the dashboard in docs/images anew, with chromium
	@$(VENV)/bin/python -m tests.browser.screenshots $(ARGS)

simulate: $(FOR_DEV) ## Run seeded worlds in which everything goes wrong that can (SEED=7 shows one, SEEDS=1000 runs so many)
	@$(VENV)/bin/python -m tests.simulation $(if $(SEED),--seed $(SEED)) $(if $(SEEDS),--seeds $(SEEDS)) $(if $(ONLY),--only $(ONLY)) $(ARGS)

simulate-long: $(FOR_DEV) ## Run such worlds in several processes until they have decided 10,000,000 commands; goes on where it was stopped
	@$(VENV)/bin/python -m tests.simulation.long $(ARGS)

mutants: $(FOR_DEV) ## Break rules of flows, servers and leases on purpose, and see that the suite finds each (ARGS="--only join" for some)
	@$(VENV)/bin/python -m tests.mutants $(ARGS)

check: $(FOR_DEV) ## Check format, lint, types, the import contract and the links between pages
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/python -m mypy
	@$(VENV)/bin/lint-imports --no-logo
	@$(VENV)/bin/python -m pytest -q tests/documentation/test_links.py

docs: $(FOR_DOCS) ## Build the documentation as a site, into build/site
	@NO_MKDOCS_2_WARNING=1 $(VENV)/bin/python -m mkdocs build --quiet --strict
	@echo "The site is in build/site: open build/site/index.html"

bench: $(FOR_DEV) ## Measure jobs per second and microseconds per command
	@$(VENV)/bin/python benchmarks/run.py $(ARGS)

bench-peers: $(FOR_DEV) ## Measure ours, the floor and every peer on this machine (25 minutes; ARGS="--only pgqueuer,flowfabric --rounds 1" for less)
	@$(VENV)/bin/python benchmarks/bench_peers.py $(ARGS)

bench-compare: $(FOR_DEV) ## Measure this tree against another revision, in turns (REF=main)
	@$(VENV)/bin/python benchmarks/compare.py $(REF) $(ARGS)

soak: $(FOR_DEV) ## Run for long under crashes and look for anything lost or done twice
	@$(VENV)/bin/python benchmarks/soak.py $(ARGS)
	@FLOWFABRIC_CHAOS=full $(VENV)/bin/python -m pytest tests/chaos/test_task_workers.py tests/domain/test_cron.py tests/engine/test_year_of_schedules.py \
	  tests/domain/test_tokens.py tests/domain/test_condition_tables.py tests/domain/test_join_tables.py \
	  tests/domain/test_flow_replays.py tests/domain/test_replay_tables.py tests/simulation/test_mutants.py tests/power_cuts/test_power_cuts.py tests/stores/sqlite/test_plans.py tests/stores/postgres/test_plans.py \
	  tests/stores/test_many_parked.py tests/stores/sqlite/test_many_parked.py tests/stores/postgres/test_many_parked.py \
	  tests/server/test_openapi.py
	@FF_STORIES=50 FLOWFABRIC_DAGS=200 $(VENV)/bin/python -m pytest $(SHARED_OUT) tests/stores/test_stories.py tests/stores/test_wait_stories.py \
	  tests/stores/test_stream_stories.py tests/stores/test_family_stories.py tests/stores/test_gate_stories.py tests/stores/test_plain_flow_stories.py tests/stores/test_dags.py

chaos: $(FOR_DEV) ## Kill servers and workers for some minutes, lose answers, freeze processes, and count what was lost
	@FLOWFABRIC_CHAOS=long FF_TEST_EVENTS=100000 $(VENV)/bin/python -m pytest tests/chaos tests/stores/postgres/test_subscribers.py \
	  tests/stores/sqlite/test_sudden_death.py $(ARGS)
	@$(VENV)/bin/python -m tests.mutants --found-by tests/chaos

chaos-long: $(FOR_DEV) ## Bring every fault some hundred times, in parts of an hour; goes on where it was stopped
	@$(VENV)/bin/python -m tests.chaos.long $(ARGS)

power-cuts: $(FOR_DEV) ## Cut the power of recorded stores, 50,000 and 500 times, and count what was lost; goes on where it was stopped
	@$(VENV)/bin/python -m tests.power_cuts $(ARGS)

fuzz: $(FOR_DEV) ## Send hostile values to every parser, others each time (ARGS="--minutes 5 --only cron_patterns --seed 7")
	@$(VENV)/bin/python -m tests.fuzz $(ARGS)

histories: $(FOR_DEV) ## Let clients do everything at once to the same executions, and check every answer (ARGS="--minutes 10 --seed 7")
	@$(VENV)/bin/python -m tests.histories $(ARGS)

matrix: $(FOR_DEV) ## Run a part of the tests with each Python, SQLite and PostgreSQL that is found here, and say what was not
	@$(VENV)/bin/python -m tests.matrix $(ARGS)

clean: ## Remove the virtual environment, caches and builds
	@rm -rf "$(VENV)" .venv-peers build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .test-repeat .power-cuts .matrix .chaos-long .simulate-long
	@find . -name .git -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +

$(FOR_USE): pyproject.toml | $(VENV)/bin/python
	@echo "setting up $(VENV) ..."
	@$(VENV)/bin/python -m pip install --quiet --editable '.[cli]'
	@touch $@

$(FOR_POSTGRES): pyproject.toml | $(VENV)/bin/python
	@echo "setting up $(VENV) with a PostgreSQL server ..."
	@$(VENV)/bin/python -m pip install --quiet --editable '.[demo]'
	@touch $(FOR_USE) $@

# The tools for development include what a user needs, and the suite for stores.
$(FOR_DEV): pyproject.toml conformance/pyproject.toml | $(VENV)/bin/python
	@echo "setting up $(VENV) with the development tools ..."
	@$(VENV)/bin/python -m pip install --quiet --editable '.[dev]' --editable conformance
	@touch $(FOR_USE) $(FOR_POSTGRES) $@

$(FOR_DOCS): pyproject.toml | $(VENV)/bin/python
	@echo "setting up $(VENV) with the tools for the documentation ..."
	@$(VENV)/bin/python -m pip install --quiet --editable '.[docs]'
	@touch $(FOR_USE) $@

$(FOR_BROWSER): pyproject.toml | $(FOR_DEV)
	@command -v chromium >/dev/null || { echo "The dashboard is tested in chromium, and it is not installed (Debian, Ubuntu: apt install chromium)." >&2; exit 1; }
	@echo "setting up $(VENV) with what drives a browser ..."
	@$(VENV)/bin/python -m pip install --quiet --editable '.[browser]'
	@touch $@

# Where Python is missing, old or incomplete, one sentence says what to install, and make fails.
$(VENV)/bin/python:
	@"$(PYTHON)" -c '' 2>/dev/null || { \
	  echo "FlowFabric needs Python 3.11 or newer and $(PYTHON) does not run: install it, or name another with PYTHON=..." >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "FlowFabric needs Python 3.11 or newer and $(PYTHON) is $$("$(PYTHON)" -c 'import sys; print("%d.%d" % sys.version_info[:2])'): install a newer one, or name it with PYTHON=..." >&2; exit 1; }
	@"$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null && "$(PYTHON)" -m venv --clear "$(VENV)" >/dev/null || { \
	  rm -rf "$(VENV)"; \
	  echo "$(PYTHON) cannot make a virtual environment: install its venv and pip modules (Debian, Ubuntu: apt install python3-venv), or name another with PYTHON=..." >&2; exit 1; }
