# Everything a newcomer or a contributor runs. `make` alone lists the targets.
PYTHON ?= python3
VENV   ?= .venv
PLAY   ?= run --policy aggressive-buy
WORKERS ?= 2

ANALYSES := tip_court buy_timing lay_down_timing joker_clock discard_danger contract_atlas advice_by_table policies
QUICK_tip_court := --games 2500 --screen 100 --cell 20 --asked 40
QUICK_buy_timing := --games 100 --deals 200 --tuning 20
QUICK_lay_down_timing := --games 200 --futures 1
QUICK_joker_clock := --games 400 --blocks 60
QUICK_discard_danger := --games 30
QUICK_contract_atlas := --games 400 --alone 100 --hands 100000
QUICK_advice_by_table := --games 200
QUICK_policies := --games 500 --asked 4

BIN    := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install install-dev run test test-full test-nojit test-bounds calibrate reports reports-quick warm bench golden docs lint format clean
.PHONY: $(ANALYSES:%=quick-%)

help:  ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "Variables: PYTHON ($(PYTHON)), VENV ($(VENV)), WORKERS ($(WORKERS): processes that test), PLAY ($(PLAY))"

# A virtual environment of the project's own, made anew when pyproject.toml changes. Dependency groups need pip 25.1.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$(PYTHON) is older than Python 3.11: name a newer one, e.g. make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-%: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group $*
	@touch $@ $(VENV)/.installed $(if $(filter dev,$*),$(VENV)/.installed-test)  # dev includes test

install: $(VENV)/.installed  ## Install the package into a virtual environment
	@echo "ready: $(BIN)/shanghai-sim --help"

install-dev: $(VENV)/.installed-dev  ## The same, with all tools of development
	@echo "ready: $(BIN)/python -m pytest"

run: $(VENV)/.installed  ## Set up and play: does buying everything pay?
	$(BIN)/shanghai-sim $(PLAY)

# Kernels are compiled once, by one process; the tests' processes then load them.
warm: $(VENV)/.installed
	@$(BIN)/shanghai-sim cache warm

test: $(VENV)/.installed-test warm  ## Set up and run the tests
	$(PYTEST) -n $(WORKERS)

test-full: $(VENV)/.installed-test warm  ## Run the tests, the long ones included (about an hour)
	$(PYTEST) -n $(WORKERS) -m "full or not full"

test-nojit: $(VENV)/.installed-test  ## Run part of the tests with kernels in plain Python
	SHANGHAI_SIM_JIT=0 $(PYTEST) -n $(WORKERS) -m "nojit and not full"

test-bounds: export NUMBA_BOUNDSCHECK = 1
test-bounds: $(VENV)/.installed-test warm  ## Run part of the tests with bounds checked
	$(PYTEST) -n $(WORKERS) -m "nojit and not full"
	$(PYTEST) -n $(WORKERS) -m "not nojit and not full" tests/unit/engine

calibrate: $(VENV)/.installed warm  ## Check how often intervals and verdicts are wrong (a quarter of an hour)
	$(BIN)/python -m analyses.calibration

# An analysis that is done leaves a mark, so that an interrupted run goes on with the next one.
reports: $(ANALYSES:%=build/reports/%.done)  ## Write the reports anew; goes on where it was interrupted (an hour and a half)
	@echo "the reports are in reports/; rm -r build/reports, and the next run begins from the start"

$(ANALYSES:%=build/reports/%.done): build/reports/%.done: $(VENV)/.installed-reports
	@mkdir -p $(@D)
	$(BIN)/python -m analyses.$*
	@touch $@

reports-quick: $(ANALYSES:%=quick-%)  ## Write short forms of the reports into a folder beside (about six minutes)

$(ANALYSES:%=quick-%): quick-%: $(VENV)/.installed-reports
	$(BIN)/python -m analyses.$* $(QUICK_$*) --out reports-quick/$*

bench: $(VENV)/.installed-test warm  ## Measure speeds, as multiples of a fixed reference kernel
	$(BIN)/python -m benchmarks

golden: $(VENV)/.installed-test warm  ## Write the golden transcripts anew (then look at the diff)
	$(BIN)/python -m tests.golden

docs: $(VENV)/.installed-test warm  ## Write the output shown in README and docs anew (then look at the diff)
	$(BIN)/python -m tests.docs

lint: $(VENV)/.installed-dev  ## Check style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.installed-dev  ## Put the sources into the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## Delete the virtual environment and everything that tools left behind
	rm -rf $(VENV) build dist *.egg-info .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
