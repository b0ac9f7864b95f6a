"""Marks are read from the end of a line, and never reach keng."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.marks import ANYWHERE, Mark, marks_of, unmarked_copy, without_marks


def marks(tmp_path: Path, line: str, command: str = "check") -> list[tuple[int, set[str]]]:
    path = tmp_path / "train.py"
    path.write_text(f"import torch\n{line}\n", "utf-8")
    return [(mark.line, set(mark.names)) for mark in marks_of(path, command)]


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("loss.backward()  # check: backward-twice", [{"backward-twice"}]),
        ("x()  # check: nan-loss or loss-broadcasts", [{"nan-loss", "loss-broadcasts"}]),
        ("x()  # check: nan-loss; loss-broadcasts", [{"nan-loss"}, {"loss-broadcasts"}]),
        ("x()  # check: nan-loss (silence (and padding) give log 0)", [{"nan-loss"}]),
        ("x()  # any: nan-loss", [{"nan-loss"}]),
        ("x()  # check: nan-loss  # run: loss-broadcasts", [{"nan-loss"}]),
        ("x()  # kept  # check: nan-loss", [{"nan-loss"}]),
        ("x(); // check: nan-loss", [{"nan-loss"}]),
        ("x()  # check: -", [set()]),
    ],
)
def test_mark_at_the_end_of_a_line(tmp_path: Path, line: str, faults: list[set[str]]) -> None:
    assert marks(tmp_path, line) == [(2, names) for names in faults]
    assert not marks_in_copy(tmp_path)


def marks_in_copy(tmp_path: Path) -> list[Mark]:
    (tmp_path / "copy").mkdir()
    copy = unmarked_copy(tmp_path / "train.py", tmp_path / "copy")
    return marks_of(copy, "check") + marks_of(copy, "run")


@pytest.mark.parametrize(
    "line",
    [
        "x()  # run: nan-loss",
        "x()  # check: the loss, it may be NaN",
        "x()  # check the labels",
        "x()  # check: Labels",
        'print("# check: nan-loss")',
        "x()  # check: nan-loss, loss-broadcasts",
        "x()  # recheck: nan-loss",
        "x()  #check: nan-loss",
    ],
)
def test_line_without_a_mark_of_check(tmp_path: Path, line: str) -> None:
    assert marks(tmp_path, line) == []


def test_mark_on_a_separate_line_accepts_every_line(tmp_path: Path) -> None:
    assert marks(tmp_path, "    # run: rank-died", "run") == [(ANYWHERE, {"rank-died"})]


def test_copy_keeps_the_lines_and_other_comments() -> None:
    text = "a = 1  # one\nb = 2  # run: nan-loss (note)\n# check: nan-loss\nc = 3\n"
    assert without_marks(text) == "a = 1  # one\nb = 2\n\nc = 3\n"


def test_mark_of_a_notebook_is_in_its_cell(tmp_path: Path) -> None:
    path = tmp_path / "book.ipynb"
    cells = [{"source": ["import torch\n"]}, {"source": ["x = 1\n", "x()  # check: nan-loss"]}]
    path.write_text(json.dumps({"cells": cells}), "utf-8")
    [mark] = marks_of(path, "check")
    assert (mark.path, mark.line) == ("book.ipynb:cell 2", 2)
    (tmp_path / "copy").mkdir()
    assert not marks_of(unmarked_copy(path, tmp_path / "copy"), "check")


def test_mark_of_a_project_has_its_path_in_the_project(tmp_path: Path) -> None:
    folder = tmp_path / "project" / "engine"
    folder.mkdir(parents=True)
    (folder / "loop.py").write_text("x()  # check: nan-loss\n", "utf-8")
    [mark] = marks_of(tmp_path / "project", "check")
    assert mark.path == "project/engine/loop.py"
