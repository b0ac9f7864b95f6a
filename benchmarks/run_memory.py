"""What `keng.watch` holds of memory over a long run: `python benchmarks/run_memory.py [STEPS]`.

A model of one layer is trained by single steps, watched by everything that keng has. Printed: resident
memory before, and after as many steps as are said; a leak of 50 bytes a step would be 50 MB in a million.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812

import keng

torch.set_num_threads(1)


def resident() -> float:
    """MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def main() -> int:
    last = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    x, y = torch.randn(8, 4), torch.randint(2, (8,))

    def steps(count: int) -> None:
        for _ in range(count):
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()

    steps(1000)
    before, done, looks = resident(), 0, 1000
    print(f"{'steps watched':>15}{'MB':>8}{'more than before':>18}")
    print(f"{0:15,}{before:8.1f}", flush=True)
    with keng.watch(on_finding=lambda finding: sys.exit(f"{finding}")):
        while done < last:
            steps(looks - done)
            done, looks = looks, min(10 * looks, last)
            print(f"{done:15,}{resident():8.1f}{resident() - before:18.1f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
