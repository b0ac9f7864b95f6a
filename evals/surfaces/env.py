"""`keng env` on recorded machines, and `keng env --for` on error texts that people paste there.

A machine is a TOML file as `keng.battery.machines` builds it; `wants` is a pattern that one of its findings
has to match. errors.toml pairs error texts with machines; an empty `wants` means that the machine is not to
blame.
Findings that are not certain are counted apart: they are no false alarms.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.answers import Answer
from evals.sets import KINDS, Set, read_toml
from keng import pitfalls
from keng.battery.machines import built
from keng.cli.env import bearing
from keng.env import engine
from keng.model import Finding, Pitfall

HEAD = "named"


@dataclass(frozen=True)
class Task:
    name: str
    faulty: bool
    machine: dict[str, Any]
    wants: str
    text: str = ""
    """An error text; without one the whole machine is examined."""


def tasks(chosen: Set) -> list[Task]:
    machines = {
        f"{kind}/{path.stem}": read_toml(path)
        for kind in KINDS
        for path in sorted((chosen.folder / kind).glob("*.toml"))
    }
    wanted = {name: table.pop("wants", "") for name, table in machines.items()}
    alone = [
        Task(name, bool(wanted[name]), table, wanted[name]) for name, table in machines.items()
    ]
    return alone + [
        Task(
            f"{error['machine']}: {error['text'].splitlines()[0][:60]}",
            bool(error["wants"]),
            machines[error["machine"]],
            error["wants"],
            error["text"],
        )
        for error in read_toml(chosen.folder / "errors.toml")["error"]
    ]


def judge(task: Task) -> Answer:
    units = list(pitfalls.having("env"))
    asked = bearing(units, task.text) if task.text else units
    found = findings(task.machine, asked)
    right = [each for each in found if task.wants and re.search(task.wants, words(each))]
    other = [each for each in found if each not in right]
    verdict = "first" if right else "missed"
    return Answer(
        task.name,
        task.faulty,
        **{verdict: [task.wants] if task.faulty else []},
        beside=[each.pitfall for each in other if each.hit.sure],
        notes=["uncertain" for each in other if not each.hit.sure],
        said="\n".join(map(words, found)),
    )


def findings(machine: dict[str, Any], units: list[Pitfall]) -> list[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        return engine.run(built(machine, Path(folder)), units).findings


def words(finding: Finding) -> str:
    hit = finding.hit
    doubt = "" if hit.sure else " (not sure)"
    seen = "; ".join(f"{name}: {value}" for name, value in hit.evidence.items())
    fix = hit.fix.title if hit.fix else ""
    return f"{finding.pitfall}{doubt}: {hit.says}\n    {seen}\n    {fix}"
