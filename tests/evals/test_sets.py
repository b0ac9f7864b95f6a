"""benchmarks/silent/: its cases are whole, and some of them say today what its table says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from programs import Program, Programs

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks" / "silent"))

import case

CASES = {each.name: each for each in case.every()}
QUICK = [
    "attention_dropout_in_eval",
    "head_replaced_late",
    "softmax_before_cross_entropy",
    "spectral_norm_eval_first",
    "zero_grad_missing",
]


@pytest.mark.parametrize("name", CASES)
def test_a_case_is_three_programs_and_a_line_to_be_named(name: str) -> None:
    programs, lines = CASES[name].programs, CASES[name].lines
    for kind, text in programs.items():
        compile(text, f"{name} ({kind})", "exec")
    assert len(set(programs.values())) == len(case.KINDS)
    assert lines
    assert all(programs["faulty"].splitlines()[line - 1].strip() for line in lines)


@pytest.mark.parametrize("name", QUICK)
def test_a_fault_is_named_at_its_line_and_nothing_else_is(name: str, programs: Programs) -> None:
    known = CASES[name]
    faulty, *others = (programs.outcome(Program(known.programs[kind])) for kind in case.KINDS)
    assert {found.pitfall for found in faulty.found} & known.causes
    assert {found.line for found in faulty.found} & known.lines
    for outcome in others:
        assert not outcome.found
        assert not outcome.raised
