# `make` without a target lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

BIN := .venv/bin
# Compiling every module takes longer than compiling those that are used, when they are.
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile
# Some machines forbid it, and then every process would compile the whole product again.
unexport PYTHONDONTWRITEBYTECODE
# The checks need settings, but no data: theirs are thrown away.
CHECKS := SECRET_KEY=only-for-checks-0123456789-abcdefghijklmnopqrstuvwxyz DATA_DIR=build/checks DATABASE_URL= CELERY_BROKER_URL= CACHE_URL=
# One lock for every platform and Python; requirements-torch.txt says why torch is not in it.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --system-certs \
	--no-emit-package torch --annotation-style line --custom-compile-command "make lock" \
	$(if $(UPGRADE),--upgrade)
# Published corpora for the tests that compare with them. Without it those tests are left out.
export GIZA_DATA ?= $(abspath ../shared/data)

.PHONY: help run test lint fmt migrations-check bench figures soak axe style lock pin-images backup restore clean chromium

help: ## List the targets
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/\1|\2/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r verb text; do printf '  make %-18s %s\n' "$$verb" "$$text"; done

run: .venv/run.stamp ## Set everything up and serve it, with a demo, at http://127.0.0.1:8000
	@exec $(BIN)/python -m deploy.serve

test: .venv/dev.stamp chromium ## Set everything up and run every check and test
	@started=$$SECONDS; \
	$(BIN)/python -m tests.streams; \
	echo "Everything passed in $$((SECONDS - started)) s."

lint: .venv/dev.stamp ## Check style and types
	@echo "== Style"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "== Types"
	@$(CHECKS) $(BIN)/mypy

fmt: .venv/dev.stamp ## Format the code
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

migrations-check: .venv/dev.stamp ## Fail if a model changed without its migration
	@echo "== Migrations"
	@$(CHECKS) $(BIN)/python manage.py makemigrations --check --dry-run

bench: .venv/dev.stamp ## Measure speed and memory; ONLY=name for one benchmark
	@$(BIN)/python -m tests.benchmarks $(ONLY)

figures: .venv/dev.stamp ## Compute the figures compared with papers, and write them into the documents; ONLY=part, CHECK=1
	@$(BIN)/python -m tests.figures $(if $(CHECK),--check) $(ONLY)

soak: .venv/dev.stamp ## Simulate half an hour of a busy lab, with killed processes; MINUTES=5 for less
	@$(BIN)/python -m tests.soak $(MINUTES)

axe: .venv/dev.stamp chromium ## Check every page with axe, including colours in both themes
	@$(BIN)/python -m pytest --axe-colours tests/browser/test_every_page.py

style: ## Print the numbers of the code: lengths, tests, dependencies
	@python3 -m tests.style

lock: .venv/dev.stamp ## Rewrite the lock files after a change of requirements; UPGRADE=1 for newer versions
	@$(LOCK) --output-file requirements-dev.lock requirements.txt requirements-dev.txt
	@$(LOCK) --output-file requirements.lock --constraint requirements-dev.lock requirements.txt

pin-images: ## Update the pinned digests of the container images
	@deploy/pin_images.sh

backup: .venv/run.stamp ## Back everything up into one file in var/backups, or TO=path
	@mkdir -p -m 700 var/backups
	@$(BIN)/python manage.py backup $(or $(TO),var/backups)

restore: .venv/run.stamp ## Restore a backup: FROM=file, and REPLACE=1 to replace existing data
	@$(BIN)/python manage.py restore $(or $(FROM),$(error Name the file: make restore FROM=file)) \
		$(if $(REPLACE),--replace)

clean: ## Remove generated files; data in var/ stays
	@rm -rf .venv build .mypy_cache .pytest_cache .ruff_cache .hypothesis .schemathesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

chromium:
	@deploy/find_chromium.sh

.venv/pyvenv.cfg:
	@deploy/make_venv.sh .venv

.venv/run.stamp: requirements.lock requirements-torch.txt | .venv/pyvenv.cfg
	@echo "Installing what Giza needs …"
	@$(INSTALL) --no-deps --require-hashes --requirement requirements.lock
	@$(INSTALL) --requirement requirements-torch.txt
	@touch $@

.venv/dev.stamp: requirements-dev.lock requirements-torch.txt | .venv/pyvenv.cfg
	@echo "Installing what Giza and its tests need …"
	@$(INSTALL) --no-deps --require-hashes --requirement requirements-dev.lock
	@$(INSTALL) --requirement requirements-torch.txt
	@touch .venv/run.stamp $@
