# Set up, try and test Claimwright. Every target can be run again.
#   make setup   virtual environment, language model, database, demonstration data
#   make demo    web server and worker on this computer; Ctrl-C stops both
#   make test    static checks, then every test (fetches a 100 MB model for the parity tests and two grammar engines as oracles)
PYTHON ?= python3
PY := .venv/bin/python
TORCH ?= torch==2.13.0
PIP := $(PY) -m pip install --disable-pip-version-check --constraint constraints.txt

export CLAIMWRIGHT_MODEL ?= qwen2.5-coder-1.5b-instruct-q4_k_m
export CLAIMWRIGHT_MODELS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/claimwright/models

.PHONY: setup demo test

setup:
	@echo "1/4 Python packages (sizes below; PyTorch is the large one)"
	test -x $(PY) || $(PYTHON) -m venv .venv
	$(PIP) "$(TORCH)"
	$(PIP) --editable ".[dev]"
	@du -sh .venv | sed 's/\t.*/ in .venv/'
	$(PY) -m engine.kernels.build
	$(PY) -m engine.grammar.warm
	@echo "2/4 Language model $(CLAIMWRIGHT_MODEL), about 1.1 GB, kept in $(CLAIMWRIGHT_MODELS)"
	mkdir -p var "$(CLAIMWRIGHT_MODELS)"
	test -e var/models || ln -sfn "$(CLAIMWRIGHT_MODELS)" var/models
	$(PY) -m engine.loading fetch "$(CLAIMWRIGHT_MODEL)"
	@du -shL "$(CLAIMWRIGHT_MODELS)"
	@echo "3/4 Database"
	$(PY) manage.py migrate --noinput
	@echo "4/4 Demonstration data"
	$(PY) manage.py seed_demo
	@echo "Ready. Next: make demo"

demo: | $(PY)
	$(PY) manage.py demo

test: | $(PY)
	$(PY) -m engine.loading fetch smollm2-135m-instruct-q4_1
	$(PIP) --quiet --no-deps xgrammar llguidance apache-tvm-ffi
	$(PY) -m ruff check .
	$(PY) -m mypy
	.venv/bin/lint-imports
	$(PY) manage.py check
	$(PY) manage.py makemigrations --check --dry-run
	.venv/bin/djlint templates --lint --quiet
	$(PY) -m pytest

$(PY):
	@echo "First run: make setup" >&2; exit 1
