# Each target does all of its own set-up in .venv: Python 3.11 or later with venv, git and make are all that is needed.
# Once set up, no target needs the network.
PYTHON ?= python3
VENV ?= .venv
PY := $(VENV)/bin/python

PYTEST := $(PY) -m pytest -n 2 --dist loadgroup  # groups: tests/conftest.py

.PHONY: demo test test-quick coverage lint types format docs bench lock clean help

demo: $(VENV)/runtime.stamp  ## Judge the bundled estate (it has findings, so check exits with 1).
	@$(PY) -m lintmdb check fixtures/estate --on-message 15s || test $$? -eq 1

test: $(VENV)/dev.stamp  ## Run all tests.
	@$(PYTEST)

test-quick: $(VENV)/dev.stamp  ## Run the tests that need neither Spark nor many seconds.
	@$(PYTEST) -m "not fleet and not slow"

coverage: $(VENV)/dev.stamp  ## Show which lines and branches the quick tests do not run.
	@$(PYTEST) -m "not fleet and not slow" --cov --cov-report=term-missing:skip-covered

lint: $(VENV)/dev.stamp  ## Check format and rules of the code.
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .

types: $(VENV)/dev.stamp  ## Check types, in strict mode.
	@$(PY) -m pyright

format: $(VENV)/dev.stamp  ## Format the code, and mend what can be mended.
	@$(PY) -m ruff format .
	@$(PY) -m ruff check --fix .

docs: $(VENV)/dev.stamp  ## Write docs/rules.md and docs/rules/ from the rules.
	@$(PY) -m lintmdb.report.rule_pages.pages docs

bench: $(VENV)/dev.stamp  ## Measure; results are ratios.
	@for file in benchmarks/[a-z]*.py; do echo "== $$file"; $(PY) $$file || exit 1; done

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "lintmdb needs Python 3.11 or later; name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/runtime.stamp: requirements.lock | $(VENV)/bin/python
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(VENV)/dev.stamp: requirements-dev.lock pyproject.toml | $(VENV)/bin/python
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $@ $(VENV)/runtime.stamp

lock:  ## Resolve the dependencies again, with hashes and without any registry's address (needs uv).
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--no-emit-index-url --no-emit-find-links --quiet --upgrade -o requirements.lock
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --no-emit-index-url --no-emit-find-links --quiet --upgrade -o requirements-dev.lock

help:  ## Show this list.
	@sed -n 's/^\([a-z-]*\):.*  ## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
		printf '%-16s %s\n' "$$name" "$$text"; done

clean:  ## Remove the environment and what the other targets leave.
	rm -rf $(VENV) .coverage docs/rules docs/rules.md site .pytest_cache .ruff_cache .hypothesis dist build lintmdb/rules.json lintmdb/rules.version
