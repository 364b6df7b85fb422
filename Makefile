# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
EXPERIMENTS := table1 hyperparameters ablation convergence noise holes combs details people shading published
EXPERIMENTS := $(filter $(EXPERIMENTS),$(basename $(notdir $(wildcard benchmarks/*.py))))
NATIVE := $(wildcard src/crevasse/native/*.cpp src/crevasse/native/*.hpp)

.PHONY: setup demo test lint types contract docs reproduce clean

setup: $(STAMP)

$(STAMP): pyproject.toml CMakeLists.txt $(NATIVE)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $(STAMP)

demo: setup
	$(BIN)/crevasse demo -o demo --overwrite

test: setup
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

contract: setup
	$(BIN)/lint-imports

docs: setup
	$(BIN)/sphinx-build -W --keep-going -b html docs build/docs

# Every experiment of the paper and its supplement (CREVASSE_DATA names the data), two at a time, then the tables.
reproduce: setup
	CREVASSE_THREADS=1 $(MAKE) --jobs 2 $(addprefix record-,$(EXPERIMENTS))
	$(BIN)/python benchmarks/tables.py

record-%:
	$(BIN)/python benchmarks/$*.py

clean:
	rm -rf $(VENV) build demo
