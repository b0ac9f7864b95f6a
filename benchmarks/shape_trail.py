"""Times the way of the shapes: python benchmarks/shape_trail.py

Prints the CPU time of finding it for a live error, and of the whole explanation. The first time torch imports
what meta tensors need.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from keng.explain.engine import explain_live
from keng.explain.inspecting.exception import look, report_of

ROUNDS = 9


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(nn.Conv2d(8, 8, 3, padding=1) for _ in range(20))
        self.first, self.fc = nn.Conv2d(1, 8, 3), nn.Linear(100, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.first(x)
        for block in self.blocks:
            x = torch.relu(block(x))
        return self.fc(F.max_pool2d(x, 2).flatten(1))


def seconds(action: Callable[[], object]) -> float:
    before = time.process_time()
    action()
    return time.process_time() - before


def main() -> None:
    try:
        Net()(torch.ones(2, 1, 28, 28))
    except RuntimeError as error:
        raised = error
    explain_live(ValueError("another"))  # imports and tables
    first = seconds(lambda: look(raised, report_of(raised)).trail)
    trail = median(seconds(lambda: look(raised, report_of(raised)).trail) for _ in range(ROUNDS))
    whole = median(seconds(lambda: explain_live(raised)) for _ in range(ROUNDS))
    print(f"the way of the shapes, 23 layers: {first:.2f} s the first time, then {trail:.3f} s")
    print(f"the whole explanation: {whole:.3f} s")


if __name__ == "__main__":
    main()
