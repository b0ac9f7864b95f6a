"""Pitfalls made for a test, and changed ones."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from keng import pitfalls
from keng.battery.engine import module_name
from keng.battery.programs import module_of
from keng.model import SURFACES, Pitfall, Severity, Surface
from keng.pitfalls.contents import ODDS
from keng.pitfalls.index import index
from keng.pitfalls.loading import explainers
from keng.rules import Plain, marks_of

if sys.version_info >= (3, 11):
    from tomllib import loads as load
else:
    from tomli import loads as load


def pitfall(
    name: str,
    *functions: Any,
    severity: Severity = "warning",
    group: str = "data",
    title: str = "A title",
) -> Pitfall:
    """One with rules for source code: functions marked by `@finds`."""
    return _with("check", name, functions, severity, group, title)


def probed(name: str, *functions: Any) -> Pitfall:
    """One with rules for the machine: functions marked by `@probes`."""
    return _with("env", name, functions, "error", "env", "A title")


def watched(name: str, *functions: Any) -> Pitfall:
    """One with rules for a running program: functions marked by `@watches`, and classes of recorders."""
    return _with("run", name, functions, "hint", "training", "A title")


def _with(
    surface: Surface,
    name: str,
    functions: tuple[Any, ...],
    severity: Severity,
    group: str,
    title: str,
) -> Pitfall:
    rules = [rule for each in functions for rule in marks_of(each) or [each]]
    plain = [rule.function if isinstance(rule, Plain) else rule for rule in rules]
    return Pitfall(group, name, severity, title=title, surfaces=[surface], rules={surface: plain})


def files_of(name: str) -> list[Path]:
    return [*pitfalls.folder(name).glob("*.py"), *pitfalls.folder(name).glob("messages.toml")]


def changed(unit: Pitfall, file: Path, source: str) -> Pitfall:
    """The pitfall with another text in one of its files."""
    if file.suffix == ".toml":
        rows = [
            (m["id"], m.get("odds", ODDS), m.get("patterns", []), m.get("contains", ""))
            for m in load(source)["message"]
        ]
        details = {**index().details(unit.name), "messages": rows}
        surface: Surface = "explain"
        rules: list[Any] = explainers(unit.name, details, file.with_name("explain.py"))
    else:
        surface = next(each for each in SURFACES if each == file.stem)
        module = module_of(module_name(file), source)
        marks = [rule for value in vars(module).values() for rule in marks_of(value)]
        rules = [rule.function if isinstance(rule, Plain) else rule for rule in marks]
    return Pitfall(
        *(unit.group, unit.name, unit.severity),
        title=unit.title,
        needs=unit.needs,
        raises=unit.raises,
        surfaces=unit.surfaces,
        folder=unit.folder,
        load=unit.rules,
        rules={surface: rules},
    )
