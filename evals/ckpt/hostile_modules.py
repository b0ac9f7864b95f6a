"""The module whose archive `hostile_script` changes. It is harmless."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Stateful(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = torch.ones(2)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.w

    @torch.jit.export
    def __getstate__(self) -> tuple[Tensor, bool]:
        return self.w, self.training

    @torch.jit.export
    def __setstate__(self, states: tuple[Tensor, bool]) -> None:
        state = states[0]
        self.w = state
        self.training = states[1]


class Linear(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x).relu()
