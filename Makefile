# Each target does all of its own set-up in .venv: Python 3.11 or later with venv, git and make are all that is needed.
# Once set up, no target needs the network.
PYTHON ?= python3
VENV ?= .venv
PY := $(VENV)/bin/python

# tests/conftest.py says which tests stay together. Tests start hundreds of processes, which read compiled modules
# where they may be kept.
PYTEST := PYTHONDONTWRITEBYTECODE= $(PY) -m pytest -n 2 --dist loadscope

.PHONY: help demo test test-quick test-engines coverage lint types format docs site diagram picture bench lock clean

help:  ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/runtime.stamp  ## Judge the bundled estate (it has findings, so check exits with 1).
	@$(PY) -m lintmdb check fixtures/estate --on-message 15s || test $$? -eq 1

test: $(VENV)/dev.stamp  ## Run all tests.
	@$(PYTEST)

test-quick: $(VENV)/dev.stamp  ## Run the tests that need neither Spark nor a browser nor seconds each.
	@$(PYTEST) -m "not fleet and not browser and not slow"

test-engines: $(VENV)/engines.stamp  ## Run audits on a standalone cluster, over Spark Connect and from a remote store.
	@PYTHONDONTWRITEBYTECODE= $(PY) -m pytest tests/engines

coverage: $(VENV)/dev.stamp  ## Run the quick tests and show which lines and branches they leave out.
	@$(PYTEST) -m "not fleet and not browser and not slow" --cov --cov-report term:skip-covered

lint: $(VENV)/dev.stamp  ## Check the format and the rules of ruff.
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .

types: $(VENV)/dev.stamp  ## Check the types with pyright in strict mode.
	@$(PY) -m pyright

format: $(VENV)/dev.stamp  ## Format, and fix what ruff can fix.
	@$(PY) -m ruff format .
	@$(PY) -m ruff check --fix .

docs: $(VENV)/dev.stamp  ## Write docs/rules.md and docs/rules/ from the rules.
	@$(PY) -m lintmdb.report.rule_pages.pages docs

site: docs $(VENV)/site.stamp  ## Write the documentation and the schemas as a site to site/.
	@$(PY) -m mkdocs build --quiet
	@$(PY) -m lintmdb.schemas site/schemas

diagram: $(VENV)/dev.stamp  ## Print the diagram of docs/architecture.md, drawn from the imports.
	@$(PY) -m tests.support.import_graph

picture: $(VENV)/dev.stamp  ## Draw docs/images/page.png, the demo's page, with an installed Chromium.
	@$(PY) -m tests.support.picture

bench: $(VENV)/dev.stamp  ## Measure; results are ratios.
	@for file in benchmarks/[a-z]*.py; do echo "== $$file"; $(PY) $$file || exit 1; done

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "lintmdb needs Python 3.11 or later; name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/runtime.stamp: requirements.lock requirements-build.lock pyproject.toml | $(VENV)/bin/python
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-build.lock
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $@

$(VENV)/dev.stamp: requirements-dev.lock pyproject.toml | $(VENV)/bin/python
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $@ $(VENV)/runtime.stamp

$(VENV)/site.stamp: requirements-site.lock $(VENV)/dev.stamp
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-site.lock
	@touch $@

$(VENV)/engines.stamp: requirements-engines.lock $(VENV)/dev.stamp
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-engines.lock
	@touch $@

lock:  ## Resolve the dependencies again, with hashes and without any registry's address (needs uv).
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--no-emit-index-url --no-emit-find-links --no-strip-extras --quiet --upgrade -o requirements.lock
	uv pip compile --group pyproject.toml:build --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --no-emit-index-url --no-emit-find-links --no-strip-extras --quiet --upgrade -o requirements-build.lock
	uv pip compile --group pyproject.toml:site --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --no-emit-index-url --no-emit-find-links --no-strip-extras --quiet --upgrade -o requirements-site.lock
	uv pip compile --group pyproject.toml:engines --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --no-emit-index-url --no-emit-find-links --no-strip-extras --quiet --upgrade -o requirements-engines.lock
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --no-emit-index-url --no-emit-find-links --no-strip-extras --quiet --upgrade -o requirements-dev.lock

clean:  ## Remove all that was generated, the virtual environment included.
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis dist build site .coverage docs/rules docs/rules.md lintmdb/rules.json lintmdb/rules.version
