# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
EXPERIMENTS := noise convergence people published ablation hyperparameters table1 holes shading pose walls details combs
NATIVE := $(wildcard src/crevasse/native/*.cpp src/crevasse/native/*.hpp src/crevasse/native/*/*.cpp src/crevasse/native/*/*.hpp)

.PHONY: setup demo test lint types contract docs reproduce fresh clean

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

# Every experiment of the paper and its supplement (CREVASSE_DATA names the data), two at a time, the long ones first,
# then the tables. What is stopped goes on where it was; `make fresh reproduce` runs everything again.
reproduce: setup
	CREVASSE_THREADS=1 $(MAKE) --keep-going --jobs 2 $(addprefix record-,$(EXPERIMENTS)) record-methods
	$(BIN)/python benchmarks/tables.py

record-%:
	$(BIN)/python benchmarks/$*.py

# The default's own errors are the regression guard's: they change on purpose only, by benchmarks/accuracy.py.
record-methods:
	$(BIN)/python benchmarks/accuracy.py bilateral auxiliary

record-published: record-convergence

fresh:
	rm -rf build/runs

clean:
	rm -rf $(VENV) build demo
