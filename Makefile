# featlearn: everything the project does, by name. Needed: Python 3.11 or later, and make.

PYTHON ?= python3
BIN := .venv/bin

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help reproduce test test-slow test-floors package bench bench-against mutants docs wheel torch format lock clean

help: ## list the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "make %-13s  %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

reproduce: .venv/.installed ## reproduce the headline of every paper at laptop size, and write report/index.html
	$(BIN)/featlearn reproduce --size quick --out results --report report/index.html

test: .venv/.installed ## the gate: format, lint, types, tests; stops at the first failure
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist loadfile

test-slow: .venv/.docs ## the tests that take more than a few seconds each
	$(BIN)/pytest -m slow -n 2 --dist loadfile

test-floors: build/lock/bin/uv ## the tests of the gate with the lowest versions of the dependencies that pyproject.toml allows
	build/lock/bin/uv venv --quiet --clear --python $(PYTHON) build/floors
	build/lock/bin/uv pip install --quiet --python build/floors/bin/python --resolution lowest-direct --editable '.[dev]'
	build/floors/bin/pytest -n 2 --dist loadfile

package: .venv/.installed ## build sdist and wheel, install the wheel into an empty environment, and run it there
	rm -rf build/empty
	$(BIN)/hatchling build -d dist
	$(PYTHON) -m venv build/empty
	build/empty/bin/python -m pip install --disable-pip-version-check --quiet dist/featlearn-*.whl
	cd build/empty && bin/featlearn run glasgow2023.xor --d 20 --width 20 --steps 50 --seeds 1
	build/empty/bin/featlearn cite glasgow2023.xor

bench: .venv/.installed torch ## time all four papers' workloads against PyTorch; writes docs/performance.md
	$(BIN)/python -m benchmarks --write docs/performance.md

bench-against: .venv/.installed torch ## time this tree against another commit in one run: make bench-against REV=main
	$(BIN)/python -m benchmarks.against $(or $(REV),$(error REV: expected a commit. Try make bench-against REV=main))

mutants: .venv/.installed ## plant slips in a copy of the package: do the tests notice? an hour; goes on where it stopped
	$(BIN)/python -m mutants

wheel: .venv/.installed ## build dist/featlearn-*.whl with native kernels, for this platform and any Python 3
	$(BIN)/python -m pip wheel --disable-pip-version-check --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist/featlearn-*.whl

docs: .venv/.docs ## build the pages of docs/ into build/docs/index.html
	$(BIN)/sphinx-build -q -E -W --keep-going docs build/docs

torch: .venv/.torch ## install PyTorch, which only the benchmarks and the ResNets need

format: .venv/.installed ## put the code into shape: layout, order of imports, simple repairs
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The resolver reads the public index alone, whatever mirrors this machine has, so that the hashes
# are those of the public files; and it resolves for all systems and Pythons at once.
lock: build/lock/bin/uv ## choose the newest versions again and write requirements.lock
	build/lock/bin/uv pip compile pyproject.toml --extra dev --extra cluster \
	    --universal --python-version 3.11 --fork-strategy fewest --upgrade --generate-hashes \
	    --no-config --no-emit-index-url --no-emit-find-links --no-annotate --strip-extras \
	    --custom-compile-command "make lock" --output-file requirements.lock --quiet

clean: ## remove caches and build output; the environment and the results stay
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -path ./.venv -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +

# A stamp is newer than all that went into the environment. An environment that already stands is
# brought up to date; one that no longer starts (the folder was moved, say) is made afresh.
KERNELS := hatch_build.py src/featlearn/training/native/build.py src/featlearn/training/native/kernels.cpp
.venv/.installed: pyproject.toml requirements.lock $(KERNELS)
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("PYTHON: expected 3.11 or later, got %d.%d. Try make PYTHON=python3.11." % sys.version_info[:2])'
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation --editable .
	@$(BIN)/featlearn doctor | head -n 2
	@touch $@

.venv/.torch: .venv/.installed
	$(BIN)/python -m pip install --disable-pip-version-check --quiet torch==2.13.0
	@touch $@

.venv/.docs: .venv/.installed
	$(BIN)/python -m pip install --disable-pip-version-check --quiet \
	    'sphinx>=9,<10' 'myst-parser>=5,<6' furo 'sphinx-gallery>=0.22,<1' nbclient ipykernel
	@touch $@

build/lock/bin/uv:
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --disable-pip-version-check --quiet uv
