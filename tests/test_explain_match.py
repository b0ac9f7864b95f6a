"""Patterns are found by their words, and cost nothing where these are not."""

from __future__ import annotations

import re
import time

import pytest

from keng.explain.match import Patterns, longest_literal
from keng.model import Pitfall


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        ("plain words", "plain words"),
        (r"a dot\. and a bracket \[", "a dot. and a bracket ["),
        (r"before (?P<n>\d+) after it", " after it"),
        (r"one (two three) four", "one two three four"),
        (r"one (?:two three) four", "one two three four"),
        (r"(?:a|b) long words (\d+) end", " long words "),
        (r"(?P<n>inner text)? rest", " rest"),
        (r"(?:many words)* few", " few"),
        (r"(?i)any case", ""),
        (r"(?i:any) case", " case"),
        (r"x(?=ahead)y", "x"),
        (r"\d+", ""),
        ("", ""),
    ],
)
def test_the_literal_that_every_match_holds(pattern: str, literal: str) -> None:
    assert longest_literal(re.compile(pattern)) == literal


def pitfall(name: str, *patterns: str) -> Pitfall:
    unit = Pitfall(f"keng.catalog.loss.{name}", "A title.", severity="error")
    unit.says(*patterns)
    return unit


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"(?P<n>\d+) channels instead", "got 3 channels instead"),
        (r"nd 7", "and 7"),
        (r"Target \d+ is", "myTarget 3 island"),
        (r"(?i)OUT of memory", "CUDA Out Of Memory"),
        (r"^\d+$", "55"),
    ],
)
def test_a_match_is_not_lost_by_the_index(pattern: str, text: str) -> None:
    assert [m.pitfall.name for m in Patterns([pitfall("one", pattern)]).matches(text)] == ["one"]


def test_a_pattern_is_not_run_where_its_words_are_not() -> None:
    assert not list(Patterns([pitfall("one", r"strange words \d+")]).matches("other words 3"))


def test_the_end_of_a_long_text_is_looked_at() -> None:
    text = "strange words " + "x " * 50_000 + "strange words 3"
    assert list(Patterns([pitfall("one", r"strange words \d+")]).matches(text))


def cost(patterns: Patterns, text: str) -> float:
    times = []
    for _ in range(20):
        start = time.process_time()
        list(patterns.matches(text))
        times.append(time.process_time() - start)
    return min(times)


def test_five_hundred_patterns_cost_little_more_than_fifty() -> None:
    text = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x4 and 3x3) " * 20
    units = [pitfall(f"u{n}", rf"the thing{n} of (\d+) cannot be done{n} here") for n in range(500)]
    fifty, all_of_them = Patterns(units[:50]), Patterns(units)
    assert cost(all_of_them, text) < 3 * cost(fifty, text) + 0.001
