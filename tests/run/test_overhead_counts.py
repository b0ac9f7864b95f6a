"""What watching costs, in counts: times lie on a machine that others use."""

from __future__ import annotations

import gc
import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812
from torch.utils.data import DataLoader, TensorDataset

import keng
from keng.model import Finding
from keng.run import budget
from keng.run.events import Batch

PAUSED = budget.FIRST + budget.STRETCH
READS = 8 if torch.cuda.is_available() else 0
FULL, SPARSE = 86 + READS, 45 + READS
"""Calls of keng's own functions in a step that is told to all recorders, and in one of a pause. Where there
is a card, what the optimizer reads of its own counters goes through a tap."""


class Training:
    """Single steps of a network of seven modules, the outermost with them."""

    def __init__(self) -> None:
        torch.manual_seed(0)
        self.model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 8))
        self.model.append(nn.ReLU()).append(nn.Linear(8, 3))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3, weight_decay=0.1)
        self.x, self.y = torch.randn(16, 8), torch.randint(3, (16,))
        self.kept: list[Any] = []

    def step(self, keep: bool = False) -> None:
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(self.x), self.y)
        loss.backward()
        self.optimizer.step()
        if keep:
            self.kept.append(loss)


class Dead(nn.ModuleList):
    """All but the first of its layers are left out. Counts how often its parameters are gone through."""

    walks = 0

    def named_parameters(self, *args: Any, **kwargs: Any) -> Any:
        self.walks += 1
        return super().named_parameters(*args, **kwargs)

    def forward(self, x: torch.Tensor) -> Any:
        first, *others = self
        return first(x) + sum(0 * layer(x) for layer in others)


@pytest.fixture
def training() -> Training:
    return Training()


@pytest.fixture
def starved(monkeypatch: pytest.MonkeyPatch) -> None:
    """No budget at all: every stretch is followed by the longest pause."""
    monkeypatch.setattr(budget, "SHARE", 1e-12)
    monkeypatch.setattr(budget, "LEAST", 1e-12)


@contextmanager
def counted() -> Iterator[Counter[str]]:
    calls: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and "/keng/" in frame.f_code.co_filename:
            calls[frame.f_code.co_name] += 1

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


@pytest.fixture
def rich(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "LEAST", 60.0)


def calls_a_step(least: float) -> float:
    """Of steps long after the first ones, in a process in which nothing else has happened."""
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawned) as alone:
        return alone.submit(count_calls, least).result()


def count_calls(least: float, steps: int = 30) -> float:
    """Between the rows of looks at what grows, which are ever farther apart: from step 64 and from 128."""
    budget.SHARE = budget.LEAST = least
    step = Training().step
    with keng.watch(on_finding=print):
        for _ in range(PAUSED):
            step()
        with counted() as calls:
            for _ in range(steps):
                step()
    return sum(calls.values()) / steps


def found(training: Training, steps: int, then: Callable[[], Any]) -> tuple[list[Finding], int]:
    """What is found while something is done again and again after so many good steps, and the step at
    which the first of it is."""
    told: list[Finding] = []
    with keng.watch(on_finding=told.append):
        for _ in range(steps):
            training.step()
        assert not told
        for count in range(1, 400):
            then()
            if told:
                return told, count
    return told, 400


def test_a_step_makes_few_calls() -> None:
    assert 20 < calls_a_step(least=60.0) < FULL


def test_a_step_of_a_pause_makes_fewer() -> None:
    assert 20 < calls_a_step(least=1e-12) < SPARSE


def test_functorch_level_is_never_queried(
    training: Training, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first to ask makes autograd copy functorch's state at every node from then on."""
    asked: list[int] = []
    monkeypatch.setattr(torch._C._functorch, "maybe_current_level", lambda: asked.append(1))
    with keng.watch(on_finding=print):
        training.step()
    assert not asked


def test_recorders_that_know_a_loader_rest(training: Training) -> None:
    """Of the sizes of its batches, and of its labels once they have differed."""
    loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.arange(64) % 3), batch_size=4)
    seen: list[set[str]] = []
    with keng.watch(on_finding=print) as watching:
        for training.x, training.y in loader:
            training.step()
            assert watching._bus is not None
            seen.append({type(each).__name__ for each, _ in watching._bus.full[Batch]})
    assert {"BatchRows", "LabelsByEpoch"} <= seen[0]
    assert not {"BatchRows", "LabelsByEpoch"} & seen[-1]


def test_passes_of_a_few_steps_are_paused(starved: None, training: Training) -> None:
    loader = DataLoader(TensorDataset(torch.randn(40, 8), torch.arange(40) % 3), batch_size=8)
    attends: list[bool] = []
    with keng.watch(on_finding=print) as watching:
        for _ in range(100):
            for training.x, training.y in loader:
                training.step()
                assert watching._bus is not None
                attends.append(watching._bus.run.sampling)
    later = attends[PAUSED:]
    assert 0.2 < sum(later) / len(later) < 0.5


def test_model_is_walked_once_for_many_names() -> None:
    walks = []
    for count in (2, 60):
        net = Dead(nn.Linear(4, 4) for _ in range(count))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        with keng.watch(on_finding=print) as watching:
            for _ in range(6):
                optimizer.zero_grad()
                net(torch.randn(2, 4)).square().mean().backward()
                optimizer.step()
        (found,) = watching.result.findings
        assert found.hit.evidence["parameters"] == count - 1
        walks.append(net.walks)
    assert walks[0] == walks[1]


def test_objects_do_not_grow_with_steps(training: Training) -> None:
    with keng.watch(on_finding=print):
        for _ in range(300):
            training.step()
        before = len(gc.get_objects())
        for _ in range(600):
            training.step()
        assert len(gc.get_objects()) - before < 100


def test_a_rich_budget_knows_no_pause(rich: None, training: Training) -> None:
    """A leak is said when sixteen graphs are held, whenever it begins."""
    told, steps = found(training, PAUSED, lambda: training.step(keep=True))
    assert [finding.pitfall for finding in told] == ["loss-keeps-graph"]
    assert steps < 2 * budget.STRETCH


def test_a_leak_in_a_pause_is_found_after_it(starved: None, training: Training) -> None:
    told, steps = found(training, PAUSED, lambda: training.step(keep=True))
    assert [finding.pitfall for finding in told] == ["loss-keeps-graph"]
    assert budget.STRETCH < steps <= budget.LONGEST + budget.STRETCH


def test_no_loss_is_missed_in_a_pause(starved: None, training: Training) -> None:
    def of_nan() -> None:
        training.x.fill_(float("nan"))
        training.step()

    told, steps = found(training, PAUSED, of_nan)
    assert steps == 1
    assert told[0].pitfall == "nan-loss"


def test_a_new_mode_ends_a_pause(starved: None, training: Training) -> None:
    def in_eval() -> None:
        training.model.eval()
        training.step()

    told, steps = found(training, PAUSED, in_eval)
    assert [finding.pitfall for finding in told] == ["train-mode-not-restored"]
    assert steps == 2
