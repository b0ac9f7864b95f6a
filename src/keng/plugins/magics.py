"""The magics `%keng` and `%%keng` of a notebook."""

from __future__ import annotations

import gc
import json
import shlex
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from keng.plugins.notebooks import show

CELLS = "cells.ipynb"
"""The name under which the cells that were executed are checked."""
USAGE = "usage: %keng check [files], %keng explain [text or name], %%keng run [options]"


def register(shell: Any) -> None:
    shell.register_magic_function(partial(_line, shell), "line", "keng")
    shell.register_magic_function(partial(_cell, shell), "cell", "keng")


def _line(shell: Any, line: str) -> None:
    """`%keng COMMAND ...` as in a terminal. `check` without files checks the cells that were
    executed, `explain` without a text the last error."""
    command, *args = shlex.split(line) or [""]
    if command == "check" and not any(not arg.startswith("-") for arg in args):
        _check_cells(shell, args)
    elif command == "explain" and not args:
        _explain_last(shell)
    elif command in ("", "run"):
        print(USAGE)
    else:
        _in_terminal([command, *args])


def _cell(shell: Any, line: str, cell: str) -> None:
    """`%%keng run` watches the cell and shows a report; `%%keng check` checks it; `%%keng explain`
    explains its text."""
    command, *args = shlex.split(line) or [""]
    if command == "run":
        _run_cell(shell, args, cell)
    elif command == "check":
        _check([cell], args)
    elif command == "explain":
        _in_terminal(["explain", *args, cell])
    else:
        print(USAGE)


def _run_cell(shell: Any, args: list[str], cell: str) -> None:
    from keng.cli.commands import Usage
    from keng.cli.options import Parser
    from keng.plugins.context_manager import watch

    parser = Parser("%%keng run", "Watch the cell, and report its silent mistakes.")
    parser.add_choice()
    try:
        options = parser.parse(args)
    except Usage as error:
        print(f"keng: {error}", file=sys.stderr)
        return
    watching = watch(select=options.select, ignore=options.ignore).start()
    done = _executed(shell, f"# %%keng run\n{cell}")  # lines count from that of the magic
    if done.error_in_exec is not None:
        watching.fail(done.error_in_exec)
    else:
        watching.stop()
    show(watching.result)


def _executed(shell: Any, program: str) -> Any:
    """Runs a program under the number of the cell that holds it."""
    usual = shell.execution_count
    shell.execution_count = len(shell.user_ns.get("In", [""])) - 1
    try:
        return shell.run_cell(program)
    finally:
        shell.execution_count = usual


def _check_cells(shell: Any, args: list[str]) -> None:
    executed = shell.user_ns.get("In", [""])[1:]
    history = shell.history_manager.input_hist_raw[1:] or executed
    _check(history, args)


def _check(cells: list[str], args: list[str]) -> None:
    from keng.cli import check

    _as_in_a_terminal(partial(check.main, args, {CELLS: _notebook(cells)}))


def _explain_last(shell: Any) -> None:
    from keng.plugins.explained import explain

    error = getattr(sys, "last_value", None)
    if isinstance(error, BaseException):
        explain(error)
    else:
        print("keng: no cell has raised an error")


def _in_terminal(args: list[str]) -> None:
    from keng.cli.main import main

    _as_in_a_terminal(partial(main, args))


def _as_in_a_terminal(command: Callable[[], int]) -> None:
    """Runs a command, which may leave the collector of garbage off, as its process ends with it."""
    from keng.cli.commands import Usage

    collects = gc.isenabled()
    try:
        command()
    except Usage as error:
        print(f"keng: {error}", file=sys.stderr)
    finally:
        gc.unfreeze()
        if collects:
            gc.enable()


def _notebook(cells: list[str]) -> str:
    """The cells as a file of Jupyter, in the order of their execution."""
    rows = [
        {"cell_type": "code", "source": _shown(text), "metadata": {}, "outputs": []}
        for text in cells
    ]
    return json.dumps({"cells": rows, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def _shown(cell: str) -> str:
    """The program of a cell; nothing where it is keng's own magic, but the cell keeps its number."""
    first, _, rest = cell.partition("\n")
    if first.startswith("%%keng run"):
        return f"\n{rest}"
    return "" if first.startswith(("%keng", "%%keng")) else cell
