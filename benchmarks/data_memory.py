"""The memory and time that `keng data` takes: `python benchmarks/data_memory.py`.

A stream of samples (a gray picture of 16 x 16, a vector of 16 numbers, a label) goes through
`check_dataset` in a process of its own for each length. Printed: the peak of its resident memory, as
the kernel counts it; how much that is above that of the shortest stream, for each sample more; and
CPU time a sample, that of making the samples taken off.
"""

from __future__ import annotations

import subprocess
import sys

LENGTHS = (10_000, 100_000, 1_000_000)
PROGRAM = """
import resource, sys, time
import torch
from torch.utils.data import IterableDataset
from keng.toolbox import check_dataset

torch.set_num_threads(1)
length = int(sys.argv[1])


class Stream(IterableDataset):
    def __iter__(self):
        numbers = torch.Generator().manual_seed(0)
        for n in range(length):
            yield torch.rand(16, 16, generator=numbers), torch.rand(16, generator=numbers), n % 10


begun = time.process_time()
for sample in Stream():
    pass
made = time.process_time()
report = check_dataset(Stream())
spent = time.process_time() - made - (made - begun)
assert report.read == length
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, spent / length)
"""


def main() -> int:
    print(f"{'samples':>10} {'peak':>8} {'more a sample':>14} {'CPU time a sample':>18}")
    first = 0.0
    for length in LENGTHS:
        command = [sys.executable, "-c", PROGRAM, str(length)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        peak, seconds = map(float, done.stdout.split())
        first = first or peak
        more = f"{(peak - first) / (length - LENGTHS[0]):.0f} B" if length > LENGTHS[0] else ""
        print(f"{length:10,} {peak / 1e6:5.0f} MB {more:>14} {seconds * 1e6:15.0f} us", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
