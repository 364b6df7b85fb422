# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
EXPERIMENTS := noise convergence people published ablation hyperparameters table1 holes shading pose spanning stages details combs overview
NATIVE := $(wildcard src/crevasse/native/*.cpp src/crevasse/native/*.hpp src/crevasse/native/*/*.cpp src/crevasse/native/*/*.hpp)

MINUTES ?= 10
# Tests of the kernels and of properties, which the sanitizers watch; without those that need large maps, and one that
# limits the address space, of which the sanitizers take all.
WATCHED := tests/test_native.py tests/test_engine.py tests/test_solver.py tests/test_repack.py tests/test_islands.py \
  tests/test_move_parts.py tests/test_twins_pairs.py tests/test_twins_iteration.py tests/test_twins_energy.py \
  tests/test_random_maps.py tests/test_properties.py tests/test_bad_input.py
UNWATCHED := ceiling or grow or mazes or could_be_started
# Tests of several threads, which is all that their sanitizer can say something about.
THREADED := tests/test_threads.py tests/test_solver.py tests/test_native.py tests/test_engine.py tests/test_auxiliary.py \
  tests/test_planes.py tests/test_interrupt.py tests/test_thin.py tests/test_pyramid.py tests/test_smooth_error.py \
  tests/test_spanning_results.py
# Examples of each property and random maps per method while the sanitizers watch, and random calls.
EXAMPLES ?= 5
MAPS ?= 60
CALLS ?= 1000
CXX ?= c++

.PHONY: setup demo test lint layout page types contract docs fuzz sanitize lowest reproduce fresh clean

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

# The layout of the C++, where clang-format is installed.
layout: setup
	@if [ -x $(BIN)/clang-format ]; then git ls-files '*.cpp' '*.hpp' | xargs $(BIN)/clang-format --dry-run -Werror; \
	  else echo "no clang-format: the layout of the C++ is not checked" >&2; fi

# Types, lint and unit tests of the page's TypeScript, where Node and the network are.
page:
	@if ! command -v npm >/dev/null; then echo "no Node: the page's TypeScript is not checked" >&2; \
	  elif [ -d web/node_modules ] || (cd web && npm install --no-audit --no-fund --no-save --silent); then cd web && npm test; \
	  else echo "no packages of Node: the page's TypeScript is not checked" >&2; fi

types: setup
	$(BIN)/mypy

contract: setup
	$(BIN)/lint-imports

docs: setup
	$(BIN)/sphinx-build -W --keep-going -b html docs build/docs

# Many fuzzed files, arguments and messages (MINUTES=10); a short slice of them is among the tests.
fuzz: setup
	$(BIN)/python benchmarks/fuzz.py --minutes $(MINUTES)

# The native module with the sanitizers of addresses and undefined behaviour, then with that of threads, each in an
# environment of its own that borrows the packages of .venv. Their libraries must find that of C++ when they start, and
# write past pytest when they stop a run. Threads of BLAS, which are not watched, would look like races.
sanitize: sanitize-address sanitize-thread
sanitize-address: WATCH = -k "not ($(UNWATCHED))" $(WATCHED) && build/sanitize/address/bin/python tests/fuzz_api.py 1 $(CALLS)
sanitize-thread: WATCH = -k "(thread or interrupted) and not ($(UNWATCHED))" $(THREADED)

sanitize-%: setup
	$(PYTHON) -m venv build/sanitize/$*
	$(BIN)/python -c "import sysconfig; print(sysconfig.get_paths()['purelib'])" > \
	  $$(build/sanitize/$*/bin/python -c "import sysconfig; print(sysconfig.get_paths()['purelib'])")/borrowed.pth
	build/sanitize/$*/bin/python -m pip install --quiet --no-deps --force-reinstall \
	  --config-settings=cmake.define.CREVASSE_SANITIZE=$* --config-settings=install.strip=false \
	  --config-settings=build-dir=build/sanitize/$*/build .
	LD_PRELOAD="$$($(CXX) -print-file-name=$(if $(filter thread,$*),libtsan.so,libasan.so)) $$($(CXX) -print-file-name=libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	  TSAN_OPTIONS=halt_on_error=1 OPENBLAS_NUM_THREADS=1 CREVASSE_EXAMPLES=$(EXAMPLES) CREVASSE_MAPS=$(MAPS) \
	  sh -c 'build/sanitize/$*/bin/python -m pytest -W default -p no:cacheprovider --capture=sys $(WATCH)'

# The tests with the lowest versions that pyproject.toml allows.
lowest:
	$(PYTHON) -m venv build/lowest
	build/lowest/bin/python -m pip install --quiet --constraint constraints/lowest.txt ".[test,web]"
	build/lowest/bin/python -m pytest -W default -m "not browser"

# Every experiment of the paper and its supplement (CREVASSE_DATA names the data), two at a time, the long ones first,
# then the tables. What is stopped goes on where it was; `make fresh reproduce` runs everything again.
reproduce: setup
	CREVASSE_THREADS=1 $(MAKE) --keep-going --jobs 2 $(addprefix record-,$(EXPERIMENTS)) record-methods
	$(BIN)/python benchmarks/speed_compared.py
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
