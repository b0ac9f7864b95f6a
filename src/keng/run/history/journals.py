"""Runs that were kept by `keng run --report`, read from their journals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

JOURNAL = "journal.jsonl"


@dataclass(slots=True)
class Stored:
    """A kept run. `about` holds the values of each property, `last` the last mean of each curve by name and
    label, `found` the names of the pitfalls. `ending` is empty where the run did not end by itself."""

    name: str
    program: str = ""
    begun: str = ""
    steps: int = 0
    seconds: float = 0.0
    ending: str = ""
    about: dict[str, list[str]] = field(default_factory=dict)
    last: dict[tuple[str, str], float] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)

    def value(self, name: str) -> float | None:
        """The last value of the first curve of that name."""
        return next((value for (curve, _), value in self.last.items() if curve == name), None)


def stored(folder: Path) -> Stored | None:
    """None for a folder that holds no run. Raises: OSError."""
    try:
        text = (folder / JOURNAL).read_text("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return None
    run = Stored(folder.name)
    for line in _lines(text):
        _take(run, line)
    return run


def stored_in(home: Path) -> list[Stored]:
    """All runs in a folder, oldest first."""
    if not home.is_dir():
        return []
    found = (stored(each) for each in sorted(home.iterdir()))
    return [run for run in found if run is not None]


def _lines(text: str) -> Iterator[dict[str, Any]]:
    """A journal that was cut off by a kill ends within a line."""
    for each in text.splitlines():
        try:
            line = json.loads(each)
        except ValueError:
            continue
        if isinstance(line, dict):
            yield line


def _take(run: Stored, line: dict[str, Any]) -> None:
    kind = line.get("kind")
    if kind == "run":
        run.program, run.begun = str(line.get("program", "")), str(line.get("begun", ""))
    elif kind == "about":
        run.about.setdefault(str(line.get("name")), []).append(str(line.get("value")))
    elif kind == "curve":
        step, wide, mean = line.get("step"), line.get("values", 1), line.get("mean")
        if isinstance(step, int) and isinstance(wide, int) and isinstance(mean, (int, float)):
            run.steps = max(run.steps, step + wide - 1)
            run.last[str(line.get("name")), str(line.get("label"))] = float(mean)
    elif kind == "finding":
        run.found.append(str(line.get("pitfall")))
    elif kind == "end":
        run.ending = str(line.get("ending", "ended"))
        run.steps = int(line.get("steps") or run.steps)
        run.seconds = float(line.get("seconds") or 0.0)
