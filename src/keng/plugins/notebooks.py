"""keng in a notebook: the report of what was watched, and the magics `%keng` and `%%keng`."""

from __future__ import annotations

import gc
import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from keng.cli.options import locale
from keng.report.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keng.model import Finding, Pitfall
    from keng.run.findings import Result
    from keng.run.history.runs import Recorded
    from keng.run.watch import Watch

CELLS = "cells.ipynb"
"""The name under which the cells that were executed are checked."""
USAGE = "usage: %keng check [files], %keng explain [text or name], %%keng run [options]"


def in_kernel() -> bool:
    """Whether this process is the kernel of a notebook, which shows HTML."""
    shell = _shell()
    return shell is not None and getattr(shell, "kernel", None) is not None


def _shell() -> Any:
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


# The report


def watch(pitfalls: list[Pitfall], on_finding: Callable[[Finding], None]) -> Watch:
    """A watch whose result shows itself, at once where its block ends in a notebook. There the loss is
    kept for it."""
    from keng.run.history.runs import Recorded
    from keng.run.plan import Plan
    from keng.run.watch import Watch

    recorded = Recorded("", "")

    def record(name: str, label: str, step: int, value: float) -> None:
        if name == "loss":
            recorded.add(name, label, step, value)

    watching = Watch(pitfalls, on_finding, Plan(record=record) if in_kernel() else None)
    watching.rendered = partial(_rendered, recorded)
    if in_kernel():
        watching.on_end = _display
    return watching


def _display(what: object) -> None:
    from IPython.display import display

    display(what)


def _rendered(recorded: Recorded, result: Result, form: str) -> str:
    from keng.cli.files import reader
    from keng.report import notebook

    words = Words(locale())
    run = replace(recorded, findings=result.findings, skipped=result.skipped)
    run.steps = max(run.steps, result.overhead.steps)
    shown = notebook.as_html if form == "html" else notebook.as_text
    return shown(run, reader(), words)


# The magics


def register(shell: Any) -> None:
    shell.register_magic_function(partial(_line, shell), "line", "keng")
    shell.register_magic_function(partial(_cell, shell), "cell", "keng")


def _line(shell: Any, line: str) -> None:
    """`%keng COMMAND ...` as in a terminal. `check` without files checks the cells that were executed,
    `explain` without
    a text the last error."""
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
    _display(watching.result)


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
    from keng.plugins.hooks import explain

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
