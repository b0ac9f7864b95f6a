"""The layer that produced a size that the next layer rejects, and operands whose sizes differ."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
import torch

from keng.explain.engine import explain_live
from keng.run.taps.patches import UNSEEN

MODEL = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        {init}

    def forward(self, x):
        return {forward}

net = Net()
net({given})
"""
ROWS, WORDS = "torch.randn(4, 8)", "torch.zeros(4, 6, dtype=torch.long)"


def explained(tmp_path: Path, init: str, forward: str, given: str) -> tuple[str, str]:
    """The first message, and the line that its fix writes."""
    path = tmp_path / "program.py"
    before = MODEL.format(init=init.replace("; ", "\n        "), forward=forward, given=given)
    path.write_text(before)
    with pytest.raises((RuntimeError, AssertionError, TypeError)) as caught:
        runpy.run_path(str(path))
    hit = explain_live(caught.value).diagnoses[0].hit
    after = before
    for edit in hit.fix.edits if hit.fix is not None else ():
        after = before[: edit.start] + edit.text + before[edit.end :]
    changed = set(after.splitlines()) - set(before.splitlines())
    return str(hit.says), "".join(changed).strip()


@pytest.mark.parametrize(
    ("init", "forward", "given", "says", "fixed"),
    [
        (  # two other layers have 16: the one that gives 17 is wrong
            "self.one = nn.Linear(8, width + 1); self.two = nn.Linear(width, 2); "
            "self.out = nn.Linear(width, 2)",
            "self.two(self.one(x))",
            ROWS,
            "`net.one` gives 17, which no other layer has: set `out_features=16` there",
            "self.one = nn.Linear(8, width)",
        ),
        (
            "self.words = nn.Embedding(9, width + 1); self.rnn = nn.GRU(width, width); "
            "self.out = nn.Linear(width, 2)",
            "self.rnn(self.words(x))",
            WORDS,
            "`net.words` gives 17, which no other layer has: set `embedding_dim=16` there",
            "self.words = nn.Embedding(9, width)",
        ),
        (  # no third layer tells which of two is wrong
            "self.body = nn.Sequential(nn.Linear(8, 12), nn.ReLU(), nn.Linear(16, 2))",
            "self.body(x)",
            ROWS,
            "Set `in_features=12`, or `out_features=16` in `net.body.0`, which gives 12",
            "self.body = nn.Sequential(nn.Linear(8, 12), nn.ReLU(), nn.Linear(12, 2))",
        ),
        (  # channels times pixels
            "self.body = nn.Sequential(nn.Conv2d(1, 9, 3), nn.Flatten(), nn.Linear(288, 2))",
            "self.body(x)",
            "torch.randn(4, 1, 8, 8)",
            "Set `in_features=324`, or `out_channels=8` in `net.body.0`, which gives 9",
            "self.body = nn.Sequential(nn.Conv2d(1, 9, 3), nn.Flatten(), nn.Linear(324, 2))",
        ),
        (  # what was joined is of no one layer
            "self.one = nn.Linear(8, width); self.two = nn.Linear(width, 2)",
            "self.two(torch.cat([self.one(x), self.one(x)], 1))",
            ROWS,
            "`net.two` takes 16 features but gets 32",
            "",
        ),
        (
            "self.a = nn.Linear(8, 16); self.b = nn.Linear(8, width + 1); self.c = nn.Linear(width, 2)",
            "self.a(x) + self.b(x)",
            ROWS,
            "`net.b` gives 17, which no other layer has: set `out_features=16` there",
            "",
        ),
        (  # the operands are what the layers made, not `x` and `y` of the line
            "self.a = nn.Linear(8, 3)",
            "self.a(x) - self.a(x).mean(1)",
            ROWS,
            "write `self.a(x).mean(1, keepdim=True)`",
            "return self.a(x) - self.a(x).mean(1, keepdim=True)",
        ),
        (
            "self.w = torch.ones(4)",
            "x * self.w",
            ROWS,
            "write `x * self.w[:, None]`",
            "return x * self.w[:, None]",
        ),
        (
            "self.attention = nn.MultiheadAttention(width, 5)",
            "x",
            ROWS,
            "the 16 features of `embed_dim` are split among the heads, and 5 heads do "
            "not divide them. Pass 4 heads",
            "self.attention = nn.MultiheadAttention(width, 4)",
        ),
        (
            "self.rnn = nn.GRU(8, 8); self.words = nn.Linear(8, 8); self.out = nn.Linear(8, 2)",
            "self.out(self.rnn(self.words(x)))",
            ROWS,
            "`self.rnn(self.words(x))` returns a tuple",
            "return self.out(self.rnn(self.words(x))[0])",
        ),
        (
            "self.conv = nn.Conv1d(4, 4, 3, padding=1); self.conv.padding = (width / 16,)",
            "self.conv(x)",
            "torch.randn(2, 4, 9)",
            "`padding` of `net.conv` is (1.0,), but sizes are integers",
            "",
        ),
    ],
)  # fmt: skip
def test_layer_that_set_the_wrong_size_is_fixed(
    tmp_path: Path, init: str, forward: str, given: str, says: str, fixed: str
) -> None:
    said, line = explained(tmp_path, init, forward, given)
    assert says in said
    assert line.startswith(fixed) if fixed else True


def test_layers_are_followed_below_a_wrapper_of_keng(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = torch.Tensor.__add__

    def tapped(tensor: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        return add(tensor, other)

    tapped.__code__ = tapped.__code__.replace(co_filename=UNSEEN)
    monkeypatch.setattr(torch.Tensor, "__add__", tapped)
    init = "self.a = nn.Linear(8, 16); self.b = nn.Linear(8, 17); self.c = nn.Linear(16, 2)"
    said, _ = explained(tmp_path, init, "self.a(x) + self.b(x)", ROWS)
    assert "`net.b` gives 17" in said
