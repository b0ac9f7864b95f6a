"""Times the reading of library files for the reason of an error: python benchmarks/raise_sites.py

Prints the CPU time of reading the files that the tracebacks of some errors name, and how many were
read. At most 5 files are read for one error, and 30 ms are allowed for each.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import torch
from torch import nn

from keng.explain.reasons.levels import of_traceback
from keng.explain.reasons.reason import Error, reason_of
from keng.explain.reasons.source import Sources

ROUNDS = 5
MOST_MS = 30.0


def errors() -> list[BaseException]:
    lstm, weight = nn.LSTM(8, 8, proj_size=4), torch.ones(2, requires_grad=True)
    tried: list[Callable[[], object]] = [
        lambda: nn.MultiheadAttention(10, 3),
        lambda: torch.optim.AdamW([weight], betas=(0.9, 1.0)),
        lambda: lstm(torch.ones(3, 2, 7)),
        lambda: nn.Conv2d(1, 4, 3, padding_mode="mirror"),
        lambda: torch.distributions.Normal(torch.zeros(2), -torch.ones(2)),
        lambda: nn.functional.interpolate(torch.ones(1, 1, 4), mode="bicubic", scale_factor=2),
        lambda: nn.TransformerEncoderLayer(8, 2, dropout=10),
    ]
    return [error for action in tried if (error := _raised(action)) is not None]


def _raised(action: Callable[[], object]) -> BaseException | None:
    try:
        action()
    except Exception as error:
        return error
    return None


def read(error: BaseException) -> tuple[float, int]:
    """CPU time in milliseconds and the number of library files."""
    sources = Sources()
    before = time.process_time()
    levels = of_traceback(error.__traceback__, sources)
    reason_of(levels, Error(type(error).__name__, str(error)), sources)
    spent = (time.process_time() - before) * 1000
    return spent, sum(not each.user for each in sources.all())


def main() -> None:
    worst = 0.0
    for error in errors():
        times = [read(error) for _ in range(ROUNDS)]
        files = max(1, times[0][1])
        each = median(spent for spent, _ in times) / files
        worst = max(worst, each)
        print(f"{each:6.1f} ms a file, {files} files: {type(error).__name__}: {str(error)[:60]!r}")
    print(f"the slowest: {worst:.1f} ms a file, {MOST_MS:.0f} allowed")


if __name__ == "__main__":
    main()
