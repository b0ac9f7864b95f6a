"""Hits divided by the batches of a loader times their size, wherever the loader comes from."""

from __future__ import annotations

import pytest

from keng.pitfalls.training.accuracy_over_batches.check import _counts_over_whole_batches
from keng.source import Code, Project

PROGRAM = """\
import torch
from torch.utils.data import DataLoader, TensorDataset

from rows import Rows

batch_size = 32
data = TensorDataset(torch.randn(100, 4), torch.randn(100))
even = TensorDataset(torch.randn(96, 4), torch.randn(96))


def evaluate(model, loader, batch_size):
    correct = 0
    for x, y in loader:
        correct += (model(x).argmax(1) == y).sum().item()
    total = len(loader) * batch_size
    return correct / {by}


"""
BY = "(len(loader) * batch_size)"


def told(calls: str, by: str = BY) -> list[bool]:
    code = Project().read("program.py", PROGRAM.format(by=by) + calls)
    assert isinstance(code, Code), code
    return [sure for _, _, sure in _counts_over_whole_batches(code)]


ONE = "loader = DataLoader(data, batch_size=32)\nevaluate(model, loader, 32)\n"
UNKNOWN = "evaluate(model, DataLoader(Rows(), batch_size), batch_size)\n"


@pytest.mark.parametrize("by", [BY, "total", "(batch_size * len(loader))", "(len(loader) * 32)"])
def test_the_product_is_found_however_it_is_written(by: str) -> None:
    assert told(ONE, by) == [True]


@pytest.mark.parametrize(
    ("calls", "sure"),
    [
        (ONE, [True]),
        (UNKNOWN, [False]),
        (ONE + UNKNOWN, [False]),
        (f"{ONE}last = DataLoader(even, batch_size=32)\nevaluate(model, last, 32)\n", [False]),
        (f"{ONE}evaluate(model, DataLoader(data, 32, drop_last=True), 32)\n", [False]),
    ],
)
def test_it_is_sure_where_every_last_batch_is_known_to_be_smaller(
    calls: str, sure: list[bool]
) -> None:
    assert told(calls) == sure


@pytest.mark.parametrize(
    "calls",
    [
        "",
        "evaluate(model, loader, 32)\n",
        "evaluate(model, DataLoader(even, batch_size=32), 32)\n",
        "evaluate(model, DataLoader(data, batch_size=32, drop_last=True), 32)\n",
        "evaluate(model, DataLoader(data, batch_size=32, drop_last=drop), 32)\n",
        "evaluate(model, DataLoader(data, batch_size=32, sampler=sampler), 32)\n",
        "evaluate(model, DataLoader(data, **options), 32)\n",
        "evaluate(model, DataLoader(data), 1)\n",
        "evaluate(model, DataLoader(data, batch_size=1), 1)\n",
    ],
)
def test_whole_batches_and_unknown_loaders_are_left_alone(calls: str) -> None:
    assert told(calls) == []


def test_other_factor_is_not_a_batch_size() -> None:
    assert told(ONE, "(len(loader) * 3)") == []
