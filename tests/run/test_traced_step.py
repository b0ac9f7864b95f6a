"""Two rounds of the loop are followed by a mode, which the program must not notice."""

from __future__ import annotations

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

import keng


class Counting(TorchFunctionMode):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def __torch_function__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        self.calls += 1
        return func(*args, **(kwargs or {}))


def taught(steps: int, watched: bool) -> list[torch.Tensor]:
    """What a teacher gives that evaluates by torch's fast kernels, at each step of its student."""
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
    teacher = nn.TransformerEncoder(layer, 2).eval().requires_grad_(False)
    student = nn.Linear(16, 16)
    optimizer = torch.optim.Adam(student.parameters())
    given = []
    with keng.watch() if watched else torch.enable_grad():
        for _ in range(steps):
            x = torch.randn(4, 6, 16)
            with torch.no_grad():
                given.append(teacher(x))
            optimizer.zero_grad()
            nn.functional.mse_loss(student(x), given[-1]).backward()
            optimizer.step()
    return given


def steps_of_a_line(steps: int) -> None:
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()


def test_evaluation_of_a_transformer_has_the_same_bits() -> None:
    pairs = zip(taught(6, watched=True), taught(6, watched=False), strict=True)
    assert all(torch.equal(one, other) for one, other in pairs)


def test_mode_is_taken_off_when_the_watch_ends_between_two_rounds() -> None:
    for steps in (2, 3, 4, 5):
        with keng.watch():
            steps_of_a_line(steps)
        assert not torch._C._len_torch_function_stack()


def test_mode_of_the_program_around_a_step_stays_its_own() -> None:
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    own = Counting()
    with keng.watch():
        for _ in range(8):
            with own:
                optimizer.zero_grad()
                model(torch.randn(8, 4)).square().mean().backward()
                optimizer.step()
            before = own.calls
            torch.ones(2).sum()
            assert own.calls == before
    assert not torch._C._len_torch_function_stack()
