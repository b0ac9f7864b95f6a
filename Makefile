# `make demo` and `make test` need nothing but Python 3.10 or newer: they build their environment in
# .venv the first time, and again when pyproject.toml changes.

PYTHON ?= python3
TORCH = torch==2.13.0
BIN = .venv/bin
PIP = $(BIN)/python -m pip install -qq --disable-pip-version-check

.PHONY: demo test test-changed test-web check check-packages docs vscode clean
.DEFAULT_GOAL := test

.venv/ready: pyproject.toml Makefile
	@$(PYTHON) -c 'import sys; sys.exit("keng needs Python 3.10 or newer" if sys.version_info < (3, 10) else 0)'
	@echo "setting up .venv (the first time this downloads PyTorch)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) $(TORCH) -e '.[test]'
	@touch $@

# Lightning, Transformers and their like: tests that need them are skipped where they cannot be had.
.venv/ready-to-test: .venv/ready
	@$(PIP) -e '.[engines]' || echo "tests with Lightning, Transformers and their like will be skipped"
	@touch $@

.venv/ready-to-check: .venv/ready
	@$(PIP) -e '.[dev]'
	@touch $@

test: .venv/ready-to-test
	@$(BIN)/python -m pytest --quiet -n 4 --dist loadfile --no-loadscope-reorder

# What the changes since the last commit concern; SINCE=main compares with another revision.
test-changed: .venv/ready-to-test
	@$(BIN)/python -m pytest --quiet -n 2 --changed $(or $(SINCE),HEAD)

check: .venv/ready-to-check
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

# All rules for source code over installed packages; fails where one of them raises.
check-packages: .venv/ready-to-test
	@$(BIN)/python tools/check_installed.py

# A command as one would type it, and what it prints; findings are no failure here.
define show
	@echo; echo '$$ $(1)'
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(1) || true
endef

# Images of 8 x 8 pixels are not worth a second thread.
demo: export OMP_NUM_THREADS = 1
demo: .venv/ready
	$(call show,keng check examples/digits.py)
	$(call show,keng run examples/digits.py)
	$(call show,keng run examples/digits_crash.py)
	$(call show,keng check examples/digits_fixed.py)
	$(call show,keng run examples/digits_fixed.py)

docs: .venv/ready
	@$(BIN)/python tools/build_site.py

# The extension for VS Code, from the npm registry's tools.
vscode:
	@cd editors/vscode && cp ../../LICENSE . && npm install --no-audit --no-fund --silent && npm run --silent package

.venv/ready-for-web: .venv/ready
	@$(PIP) -e '.[web]'
	@touch $@

# The site and the editors in Chromium and Neovim, without the network. Minutes; what is missing is skipped with the reason.
test-web: .venv/ready-for-web
	@KENG_WEB=1 $(BIN)/python -m pytest --quiet tests/docs tests/editor

clean:
	rm -rf .venv site .pytest_cache .mypy_cache .ruff_cache dist build
