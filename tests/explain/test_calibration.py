"""What the confidence words promise: a table of how often a cause that is printed as certain, likely or possible is
right, over all reports with an established cause.

`pytest -s tests/explain/test_calibration.py` prints it. All sets were tuned on, so the test holds what is kept; what
unseen reports may expect is in the notes of blind-1 and blind-2.
"""

# ruff: noqa: E501

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import pytest

from evals.sets import sets_of
from evals.surfaces import explain
from keng.explain.engine import explain_text

PROMISED = {"certain": 0.95, "likely": 0.8}
FEWEST = 20
"""Reports of a class below which its share tells nothing."""


class Row(NamedTuple):
    """Of one confidence word: how many reports it opened, and on how many the page was an accepted one."""

    word: str
    printed: int
    right: int

    @property
    def share(self) -> float:
        return self.right / self.printed if self.printed else 1.0


def word_of(confidence: float) -> str:
    return "certain" if confidence >= 0.9 else "likely" if confidence >= 0.6 else "possible"


@pytest.fixture(scope="module")
def table() -> dict[str, Row]:
    printed, right = Counter[str](), Counter[str]()
    for chosen in sets_of("explain"):
        for task in explain.tasks(chosen):
            found = explain_text(task.report["text"], source=False).diagnoses[:1]
            for first in found:
                word = word_of(first.confidence)
                printed[word] += 1
                right[word] += first.pitfall in task.report["units"]
    return {
        word: Row(word, printed[word], right[word]) for word in ("certain", "likely", "possible")
    }


def test_confidence_words_keep_their_promise(table: dict[str, Row]) -> None:
    lines = [f"{r.word:>9}  {r.right:>5} of {r.printed:>5}  {r.share:6.1%}" for r in table.values()]
    print("", "confidence  right", *lines, sep="\n")
    broken = [
        row for word, row in table.items()
        if row.printed >= FEWEST and row.share < PROMISED.get(word, 0.0)
    ]  # fmt: skip
    assert not broken, broken


def test_surer_words_are_right_more_often(table: dict[str, Row]) -> None:
    assert table["certain"].share >= table["likely"].share >= table["possible"].share
