"""Judges all tasks of the chosen sets at once, one worker per core, and prints a table."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import (
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    as_completed,
)
from dataclasses import asdict
from types import ModuleType
from typing import Any

from evals.answers import Answer, Score, failures, score
from evals.sets import Set

AFTER = 2.0
"""Seconds after which a progress bar is shown."""

Answers = dict[str, list[Answer]]
"""By set, in the order of its tasks."""


def judged(surface: ModuleType, sets: list[Set], only: list[str], **options: Any) -> Answers:
    """Judges the tasks of several sets. With `only`, just those whose name begins with one of these."""
    tasks = [
        (chosen.name, task)
        for chosen in sets
        for task in surface.tasks(chosen, **options)
        if not only or task.name.startswith(tuple(only))
    ]
    with _workers(surface) as workers:
        futures = [workers.submit(surface.judge, task) for _, task in tasks]
        _watch(futures)
        answers: Answers = {chosen.name: [] for chosen in sets}
        for (name, _), future in zip(tasks, futures, strict=True):
            answers[name].append(future.result())
    return answers


def _workers(surface: ModuleType) -> Executor:
    """Processes where judging is Python's own work; threads where they only wait for other processes."""
    if getattr(surface, "IN_PROCESS", False):
        return ProcessPoolExecutor(os.cpu_count())
    return ThreadPoolExecutor(os.cpu_count())


def _watch(futures: list[Future[Answer]]) -> None:
    from rich.console import Console
    from rich.progress import Progress

    began = time.monotonic()
    progress = Progress(console=Console(stderr=True), transient=True)
    bar = progress.add_task("", total=len(futures))
    shown = False
    try:
        for _ in as_completed(futures):
            progress.advance(bar)
            if not shown and time.monotonic() - began > AFTER and progress.console.is_terminal:
                progress.start()
                shown = True
    finally:
        if shown:
            progress.stop()


def table(head: str, sets: list[Set], scores: list[Score], key: str) -> Iterator[str]:
    """Lines: a row for each set, and one for all. `key` is of the manifest's first result."""
    notes = sorted({note for each in scores for note in each.notes})
    rows = [
        ["set", "cases", "named", head, "clean", "false alarms", "unmarked", *notes, "first result"]
    ]
    for chosen, result in zip(sets, scores, strict=True):
        rows.append([chosen.name, *_row(result, notes), _first(chosen.manifest.get(key, {}))])
    if len(sets) > 1:
        rows.append(["all", *_row(_sum(scores), notes), ""])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if n in (0, len(row) - 1) else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _row(result: Score, notes: list[str]) -> list[str]:
    share = f" {result.named / result.cases:4.0%}" if result.cases else ""
    counts = [result.first, result.clean, result.alarms, result.unmarked]
    return [
        str(result.cases),
        f"{result.named}{share}",
        *map(str, [*counts, *(result.notes.get(note, 0) for note in notes)]),
    ]


def _first(frozen: dict[str, Any]) -> str:
    if "named" not in frozen:
        return "not recorded"
    named, cases = frozen["named"], frozen["cases"]
    share = f"{named} of {cases} ({named / cases:.0%})" if cases else "no faults"
    alarms, sets = frozen.get("false_alarms"), len(frozen.get("together", ()))
    said = "" if alarms is None else f", {alarms} false alarm{'' if alarms == 1 else 's'}"
    return f"{share}{f' in {sets} sets together' if sets else ''}{said}, {frozen['date']}"


def _sum(scores: list[Score]) -> Score:
    """All of them together."""
    counts = ("cases", "named", "first", "clean", "unmarked", "alarms")
    notes: Counter[str] = Counter()
    for each in scores:
        notes.update(each.notes)
    sums = {name: sum(getattr(each, name) for each in scores) for name in counts}
    return Score(**sums, notes=dict(notes))


def details(answers: list[Answer]) -> Iterator[str]:
    """What is missed, named elsewhere or reported without a mark."""
    for each in answers:
        kind = "faulty" if each.faulty else "clean"
        said = f" ({each.said})" if each.said and "\n" not in each.said else ""
        for title, faults in (
            ("missed", each.missed),
            ("named elsewhere", each.named),
            ("without a mark", each.beside),
            ("note", each.notes),
        ):
            for fault in faults:
                yield f"{kind}, {title}: {each.name}: {fault}{said}"


def as_json(sets: list[Set], answers: Answers, key: str, accepted: str) -> list[dict[str, Any]]:
    return [
        {
            "set": chosen.name,
            **asdict(result := score(answers[chosen.name])),
            "first_result": chosen.manifest.get(key),
            "failures": failures(result, chosen.manifest.get(accepted, {})),
            "answers": [asdict(each) for each in answers[chosen.name]],
        }
        for chosen in sets
    ]
