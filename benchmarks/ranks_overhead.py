"""What `keng run` adds to a step of DistributedDataParallel: `python benchmarks/ranks_overhead.py`.

Two processes over gloo train a small model, run as plain Python does, under `keng run --select
distributed` (what compares ranks) and under `keng run` (all watchers), in turn. Each prints the CPU
time of its own process and threads for a step, after the first steps, at which all is looked at.
Printed: the median over the rounds, and the median of the ratios to the plain run of the same round.
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 11
KINDS = {
    "plain": [sys.executable],
    "ranks": [sys.executable, "-m", "keng", "run", "--select", "distributed"],
    "all": [sys.executable, "-m", "keng", "run"],
}
TRAIN = """
import time
import torch
import torch.distributed as dist
from torch import nn

torch.set_num_threads(1)
dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
layers = [nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10)]
model = nn.parallel.DistributedDataParallel(nn.Sequential(*layers))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
x, y = torch.randn(256, 256), torch.randint(10, (256,))


def steps(number):
    begun = time.process_time()
    for _ in range(number):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    return (time.process_time() - begun) / number


steps(20)
seconds = torch.tensor(steps(300))
dist.all_reduce(seconds)
if dist.get_rank() == 0:
    print("seconds", seconds.item() / dist.get_world_size(), flush=True)
dist.destroy_process_group()
"""


def seconds(kind: str, script: Path) -> float:
    """CPU time of a step, the mean of both ranks."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    job = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": "2"}
    ranks = [
        subprocess.Popen(
            [*KINDS[kind], str(script)],
            env={**os.environ, **job, "RANK": str(n), "LOCAL_RANK": str(n), "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(2)
    ]
    out = [rank.communicate()[0] for rank in ranks]
    return next(float(line.split()[1]) for line in out[0].splitlines() if "seconds" in line)


def main() -> int:
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "train.py")
        script.write_text(TRAIN)
        for number in range(ROUNDS):
            for kind in list(KINDS)[:: 1 if number % 2 else -1]:
                times[kind].append(seconds(kind, script))
    print("run      CPU ms a step   ratio")
    for kind, each in times.items():
        ratio = statistics.median(t / p for t, p in zip(each, times["plain"], strict=True))
        print(f"{kind:8}{1e3 * statistics.median(each):14.3f}{ratio:8.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
