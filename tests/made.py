"""Pitfalls made for a test."""

from __future__ import annotations

from typing import Any

from keng.model import Pitfall, Severity, Surface
from keng.rules import Plain, marks_of


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
