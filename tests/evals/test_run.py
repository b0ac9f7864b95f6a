"""benchmarks/unseen/: its programs are marked, and three of them say today what its table says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import programs as running
from keng import pitfalls

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks" / "unseen"))

import exam


def all_of(kind: str) -> list[exam.Program]:
    """Of all exams."""
    folders = [exam.HERE / part / kind for part in ("", *exam.LATER)]
    found = (path for folder in folders for path in folder.iterdir() if path.name != "__pycache__")
    return [exam.Program(path) for path in sorted(found)]


@pytest.mark.parametrize("program", all_of("faulty"), ids=lambda program: program.name)
def test_a_faulty_program_marks_pitfalls_there_are(program: exam.Program) -> None:
    wanted = program.wanted()
    assert wanted
    assert {name for names in wanted.values() for name in names} <= set(pitfalls.names())


def test_a_clean_program_marks_nothing() -> None:
    assert not any(program.wanted() for program in all_of("clean"))


@pytest.mark.parametrize(
    "name", ["faulty/replay_keeps_values", "faulty/recurrence_explodes", "clean/learns_to_learn"]
)
def test_it_says_today_what_is_marked(name: str, programs: running.Programs) -> None:
    program = exam.Program(exam.HERE / f"{name}.py")
    text = program.path.read_text("utf-8").replace("from digest import show", "show = print")
    outcome = programs.outcome(running.Program(text))
    marked = {(line, name) for (_, line), names in program.wanted().items() for name in names}
    told = {(found.line, found.pitfall) for found in outcome.found}
    assert not outcome.raised
    assert bool(told & marked) == bool(marked)
    assert {name for _, name in told} <= {name for _, name in marked}
