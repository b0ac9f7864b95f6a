"""Findings of one pitfall that are a warning where the result changes, and a hint elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from keng import check, pitfalls
from keng.check.config import Configs, Settings
from keng.check.rules import Rules

EVERY = list(pitfalls.every())
BLOCK = """
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.norm1 = nn.LayerNorm(4)
        self.{name} = nn.{layer}

    def forward(self, x):
        return self.norm1({forward})
"""
LOADED = """
import torch
from torch import nn

model = nn.Linear(2, 1)
device = "cuda" if torch.cuda.is_available() else "cpu"
state = torch.load("weights.pt")
model.load_state_dict(state)
{then}
"""
TRAINED = "model(torch.ones(1, 2)).sum().backward()"
RESUMED = "torch.optim.SGD(model.parameters(), lr=1.0).load_state_dict(state)"
LAYER = """
from torch import nn

class Conv(nn.Module):
    def __init__(self, width, bias=True):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, bias=False)

    def forward(self, x):
        return self.conv(x)

Conv(4{given})
"""
WINDOWS = """
import torch
from torch.utils.data import DataLoader, Dataset

class Windows(Dataset):
    def __init__(self, values, past):
        self.items = []
        for start in range(len(values) - past):
            self.items.append({item})

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return torch.tensor(self.items[index])

loader = DataLoader(Windows([0.5] * 100, 10), num_workers=2)
"""


def levels(pitfall: str, suspicious: bool = False) -> list[str]:
    asked = Settings(select=("all",), suspicious=suspicious)
    terms = check.Terms(Rules(EVERY, asked, Configs(EVERY)))
    result = check.counted(check.run(["."], EVERY, terms=terms))
    assert not result.skipped
    return [f.severity for f in result.findings if f.pitfall == pitfall]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("name", "layer", "forward", "level"),
    [
        ("drop", "Dropout(p)", "x", "warning"),  # the caller's rate has no effect
        ("drop", "Dropout(0.1)", "x", "hint"),
        ("norm2", "LayerNorm(4)", "self.norm1(x)", "warning"),  # its sibling is used twice
        ("norm2", "LayerNorm(4)", "x", "hint"),
        ("head", "Linear(4, 4)", "x", "hint"),
    ],
)
def test_unused_layer(name: str, layer: str, forward: str, level: str) -> None:
    Path("a.py").write_text(BLOCK.format(name=name, layer=layer, forward=forward))
    assert levels("layer-unused") == [level]


@pytest.mark.parametrize(
    ("then", "level"),
    [
        ("model.eval()", "warning"),
        (TRAINED, "hint"),  # trained where it was saved
        (RESUMED, "hint"),
        ("model.cuda()", "hint"),  # needs a GPU in any case
    ],
)
def test_loaded_state(then: str, level: str) -> None:
    Path("a.py").write_text(LOADED.format(then=then))
    assert levels("map-location-missing") == [level]


@pytest.mark.parametrize(("given", "level"), [("", "hint"), (", bias=True", "warning")])
def test_ignored_argument_of_a_layer(given: str, level: str) -> None:
    Path("a.py").write_text(LAYER.format(given=given))
    assert levels("argument-ignored") == [level]


@pytest.mark.parametrize(
    ("item", "count"), [("list(values[start : start + past])", 1), ("values[start]", 0)]
)
def test_list_for_each_window_is_suspected(item: str, count: int) -> None:
    Path("a.py").write_text(WINDOWS.format(item=item))
    assert levels("dataset-python-objects-grow") == []
    assert len(levels("dataset-python-objects-grow", suspicious=True)) == count
