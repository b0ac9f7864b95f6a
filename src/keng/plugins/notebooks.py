"""The report of a watched run in a notebook."""

from __future__ import annotations

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
        watching.on_end = show
    return watching


def show(what: object) -> None:
    """Below the cell that runs."""
    from IPython import display

    shown: Callable[[object], None] = display.display
    shown(what)


def _rendered(recorded: Recorded, result: Result, form: str) -> str:
    from keng.cli.files import reader
    from keng.report import notebook

    words = Words(locale())
    run = replace(recorded, findings=result.findings, skipped=result.skipped)
    run.steps = max(run.steps, result.overhead.steps)
    shown = notebook.as_html if form == "html" else notebook.as_text
    return shown(run, reader(), words)
