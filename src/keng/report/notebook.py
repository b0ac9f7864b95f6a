"""The report of a watched run below the cell of a notebook, or at a prompt."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from keng.model import Finding
from keng.report import charts, findings, html, runs
from keng.report.frames import Reader
from keng.report.screen import Line
from keng.report.translation import findings_in, skipped_in
from keng.report.words import Words
from keng.run.history.runs import Recorded

WIDTH = 100
"""Columns of the text of a finding."""


class Shown(NamedTuple):
    """A finding as the screen shows it, and the lines as pieces with a style."""

    finding: Finding
    lines: list[Line]


def as_html(run: Recorded, read: Reader, words: Words) -> str:
    """A fragment that brings its style, and needs nothing else."""
    run = _in(run, words)
    loss = charts.chart(words("curve_loss"), run.named("loss"), run.steps)
    if loss is not None:
        loss.marks = runs.marks(run, runs.verdicts_of(run, read, words))
    found = [
        Shown(each, findings.full(each, read, words, WIDTH)) for each in runs.in_order(run.findings)
    ]
    return html.filled(
        "notebook.html",
        words=words,
        run=run,
        found=found,
        summary=_summary(run, words),
        loss=loss,
        width=charts.WIDTH,
        height=charts.HEIGHT,
        left=charts.LEFT,
        right=charts.WIDTH - charts.RIGHT,
        top=charts.TOP,
        bottom=charts.HEIGHT - charts.BOTTOM,
    )


def as_text(run: Recorded, read: Reader, words: Words) -> str:
    """The same without the curve."""
    run = _in(run, words)
    lines = [
        line
        for each in runs.in_order(run.findings)
        for line in [*findings.full(each, read, words, WIDTH), []]
    ]
    text = "\n".join("".join(piece.text for piece in line) for line in lines)
    skipped = [f"{words('unlooked')}{words.colon}{each.why}" for each in run.skipped]
    return "\n".join(filter(None, [text, *skipped, _summary(run, words)]))


def _in(run: Recorded, words: Words) -> Recorded:
    told = tuple(findings_in(words.lang, run.findings))
    return replace(run, findings=told, skipped=tuple(skipped_in(words.lang, run.skipped)))


def _summary(run: Recorded, words: Words) -> str:
    steps = words("steps", run.steps)
    if not run.findings:
        return f"keng{words.colon}{words('no_verdicts')}{words.comma}{steps}"
    return f"keng{words.colon}{findings.counts(run.findings, words)}{words.comma}{steps}"
