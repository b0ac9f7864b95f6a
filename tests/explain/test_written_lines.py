"""The lines of the user's that gave a failing call the values that an answer names."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from keng.explain.engine import explain_live


def written_in(program: str, folder: Path) -> list[tuple[str, int]]:
    path = folder / "program.py"
    path.write_text(program)
    with pytest.raises(Exception) as caught:  # noqa: PT011
        runpy.run_path(str(path), run_name="__main__")
    return [(each.text, each.where.line) for each in explain_live(caught.value).written]


def test_key_of_a_config_leads_to_its_line(tmp_path: Path) -> None:
    program = """import torch
config = {
    "width": 100,
    "heads": 8,
}
torch.nn.MultiheadAttention(config["width"], config["heads"])
"""
    assert set(written_in(program, tmp_path)) == {('"width": 100', 3), ('"heads": 8', 4)}


def test_default_of_a_parameter_leads_to_the_function(tmp_path: Path) -> None:
    program = """import torch
def norm(channels, groups=32):
    return torch.nn.GroupNorm(groups, channels)
def net(width=48):
    return norm(width)
net()
"""
    assert set(written_in(program, tmp_path)) == {("groups=32", 2), ("width=48", 4)}


def test_argument_given_hides_the_default(tmp_path: Path) -> None:
    program = """import torch
def norm(channels, groups=16):
    return torch.nn.GroupNorm(groups, channels)
norm(channels=48, groups=32)
"""
    told = written_in(program, tmp_path)
    assert "groups=16" not in [text for text, _ in told]
    assert all(line == 4 for _, line in told)


def test_layer_leads_to_the_number_it_was_made_with(tmp_path: Path) -> None:
    program = """import torch
BANDS = 13
HIDDEN = 64
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(BANDS, HIDDEN)
    def forward(self, x):
        return self.lstm(x)
Net()(torch.zeros(5, 2, 40))
"""
    told = written_in(program, tmp_path)
    assert ("BANDS = 13", 2) in told
    assert ("HIDDEN = 64", 3) not in told


def test_name_assigned_twice_in_a_function_is_the_last_above(tmp_path: Path) -> None:
    program = """import torch
def build():
    heads = 5
    heads = 8
    return torch.nn.MultiheadAttention(100, heads)
build()
"""
    assert ("heads = 8", 4) in written_in(program, tmp_path)


def test_nothing_is_said_of_an_error_without_values(tmp_path: Path) -> None:
    assert written_in("import torch\nSIZE = 12\nraise RuntimeError('no')\n", tmp_path) == []


def test_number_of_the_advice_leads_nowhere(tmp_path: Path) -> None:
    """The advice is to set `r=8`, and 8 is also the value of another argument."""
    pytest.importorskip("peft")
    program = """from peft import LoraConfig, get_peft_model
from torch import nn
RANK = 64 // 128
net = nn.Sequential(nn.Linear(64, 64))
config = LoraConfig(r=RANK, lora_alpha=8, target_modules=["0"])
get_peft_model(net, config)
"""
    assert written_in(program, tmp_path) == [("RANK = 64 // 128", 3)]
