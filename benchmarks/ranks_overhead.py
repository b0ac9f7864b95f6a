"""What `keng run` adds to a step of DistributedDataParallel: `python benchmarks/ranks_overhead.py [ROUNDS]`.

Two processes over gloo train a small model, run as plain Python does, under `keng run --select
distributed` (what compares ranks) and under `keng run` (all watchers), in turn. Each prints the CPU
time of its own process and threads for a step, after the first steps, at which all is looked at.
Printed: the median over the rounds, and the median of the ratios to the plain run of the same round with
the least and the greatest; then what keng itself took, by the CPU clocks of the two threads that it works
in, which other programs on the machine lengthen less: the least share of the rest of the step over the
rounds, for either rank. What asking such a clock takes, some microseconds where the kernel is in a sandbox,
is taken off. Of it, in the steps: the digests of what the optimizer keeps of each parameter, as a share of
all steps. Last, what steps take more with all taps open than shut, in blocks of five in turn within one
job: the median over blocks, ranks and rounds of the CPU time of the program's thread, and its standard error.
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 3
STEPS, BLOCK, PAIRS = 100, 5, 40
KINDS = {
    "plain": [sys.executable],
    "ranks": [sys.executable, "-m", "keng", "run", "--select", "distributed"],
    "all": [sys.executable, "-m", "keng", "run"],
}
TRAIN = """
import gc
import statistics
import sys
import threading
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


asked = 0


def clock():
    global asked
    asked += 1
    return time.thread_time()


if "keng.run.bus" in sys.modules:
    sys.modules["keng.run.bus"].perf_counter = clock
dear = min(-clock() + clock() for _ in range(1000))  # between two readings, by the clock itself


def clocks():
    states = [each for each in gc.get_objects() if type(each).__name__ == "RunState"]
    threads = [each.ident for each in threading.enumerate() if each.name == "keng"]
    looks = sum(time.clock_gettime(time.pthread_getcpuclockid(each)) for each in threads)
    return time.process_time(), sum(run.spent for run in states) - asked / 2 * dear, looks


digests, models = [], sys.modules.get("keng.ranks.collect.models")
if models is not None:
    of_states = models._states

    def timed(*given):
        begun = time.thread_time()
        found = of_states(*given)
        digests.append(time.thread_time() - begun - dear)
        return found

    models._states = timed


def steps(number):
    begun = clocks()
    for _ in range(number):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    return [(now - then) / number for then, now in zip(begun, clocks())]


def blocks(pairs):
    gates = [each for each in gc.get_objects() if type(each).__name__ == "TapGate"]
    shares = []
    for number in range(pairs if gates else 0):
        took = {}
        for shut in (True, False) if number % 2 else (False, True):
            for gate in gates:
                gate.shut = shut
            begun = time.thread_time()
            steps(BLOCK)
            took[shut] = time.thread_time() - begun
        shares.append(took[False] / took[True] - 1)
    return shares


steps(20)
digests.clear()
taken = steps(STEPS)
print(*taken, sum(digests) / STEPS, *blocks(PAIRS), flush=True)
dist.destroy_process_group()
"""


def seconds(kind: str, script: Path) -> list[list[float]]:
    """CPU time of a step of each rank: all of it, keng's in the program's thread, keng's own thread's, the
    optimizer's digests; then what the steps of each pair of blocks take more with open taps."""
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
    return [[float(word) for word in rank.communicate()[0].split()] for rank in ranks]


def spread(shares: list[float]) -> str:
    """The median and its standard error, by the quartiles, which single disturbed blocks do not move."""
    if not shares:
        return ""
    low, middle, high = statistics.quantiles(shares, n=4)
    return f"{middle:.2%} (error {1.253 * (high - low) / 1.349 / len(shares) ** 0.5:.2%})"


def main() -> int:
    told: dict[str, list[list[list[float]]]] = {kind: [] for kind in KINDS}
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "train.py")
        sizes = f"STEPS, BLOCK, PAIRS = {STEPS}, {BLOCK}, {PAIRS}\n"
        script.write_text(sizes + TRAIN)
        for number in range(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS):
            for kind in list(KINDS)[:: 1 if number % 2 else -1]:
                told[kind].append(seconds(kind, script))
    times = {kind: [statistics.mean(r[0] for r in ranks) for ranks in told[kind]] for kind in KINDS}
    print(
        "run      CPU ms a step   ratio (least to greatest)   of it keng: steps   looks   digests   open taps"
    )
    for kind, each in times.items():
        ratios = sorted(t / p for t, p in zip(each, times["plain"], strict=True))
        ratio = f"{statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})"
        own = [
            min(max(r[at] / (r[0] - r[1] - r[2]) for r in ranks) for ranks in told[kind])
            for at in (1, 2, 3)
        ]
        print(f"{kind:8}{1e3 * statistics.median(each):14.3f}   {ratio:36}", end="")
        print("".join(f"{share:8.2%}" for share in own), end="")
        print(f"   {spread([share for ranks in told[kind] for r in ranks for share in r[4:]])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
