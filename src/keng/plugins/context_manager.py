"""`keng.watch()`: watches the code inside it, and tells of each finding as `keng run` does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from keng.cli.commands import Usage
from keng.cli.options import locale
from keng.cli.progress_bars import stream_above
from keng.cli.selection import chosen
from keng.model import Finding
from keng.plugins import notebooks
from keng.report.findings import concise, when_first
from keng.report.screen import Line, Piece, Screen
from keng.report.translation import finding_in
from keng.report.words import Words
from keng.run.watch import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keng.run.watch import Module, Optimizer


def watch(
    model: Module | None = None,
    optimizer: Optimizer | Iterable[Optimizer] | None = None,
    *,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    on_finding: Callable[[Finding], None] | None = None,
) -> Watch:
    """Watches a stretch of code: `with keng.watch() as watching: ...`, then `watching.result`. Where it
    does not fit into one block, as in the cells of a notebook, `watching = keng.watch().start()` and
    later `watching.stop()`.

    What is trained is found by itself. Given a model and its optimizer, or several, what none of them
    holds is said before the first step.

    `select` and `ignore` are names of pitfalls or groups; nothing selected means all. Without
    `on_finding` each finding that is sure is written to standard error when it is first seen. In a
    notebook `stop()` and the end of the block show a report: findings, their code and fixes, the loss.

    Raises: KeyError for a name that no pitfall or group has.
    """
    try:
        pitfalls = chosen(_several(select), _several(ignore))
    except Usage as wrong:
        raise KeyError(str(wrong)) from None
    watching = notebooks.watch(pitfalls, on_finding or _tell)
    if model is not None and optimizer is not None:
        watching.given = model, [*optimizer] if isinstance(optimizer, Iterable) else [optimizer]
    return watching


def _several(names: str | Iterable[str]) -> Iterable[str]:
    return [names] if isinstance(names, str) else names


def line(finding: Finding, words: Words) -> Line:
    """A finding in one line, as soon as it is sure."""
    (says,) = concise(finding_in(words.lang, finding), words)
    when = words("within", what=when_first(finding, words)) if finding.first else ""
    return [Piece("keng: ", "dim"), *says, Piece(when, "dim")]


def _tell(finding: Finding) -> None:
    if finding.hit.sure and sys.stderr is not None:
        screen = Screen(stream_above(sys.stderr))
        screen.show([line(finding, Words(locale()))])
