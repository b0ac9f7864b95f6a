"""`keng ckpt fix` and `convert` beside `cp`: throughput and memory, in one run on one file.

    python benchmarks/ckpt_write.py [GB [ROUNDS [FOLDER]]]

Writes a training checkpoint of that size (2 GB) with names of a wrapped model into FOLDER. All free
memory is touched once at first, which a virtual machine is given by its host page by page, at several
times the cost of a copy. Before each copy the checkpoint is read once, so that all find it in memory, and
what was written before is removed and on no disk any more. Each round has all ways, in an order by chance,
and each way two times: until the command returns, and until the bytes of its file are on the disk (`fsync`
of it alone: other programs have dirty bytes too). A way is compared with the `cp` of its own round, by
bytes written a second; printed are the medians of ROUNDS (5), with the least and greatest. Claims: at
least 0.7 of `cp`'s throughput, at most 150 MB resident.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import NamedTuple

KENG = [sys.executable, "-m", "keng", "ckpt"]


def generate(path: Path, gigabytes: float) -> None:
    """A state dict and Adam's two moments of it."""
    program = (
        "import sys, torch\n"
        "layers = int(float(sys.argv[2]) * 1e9 / (12 * 1024 * 1024))\n"
        "state = {f'module.layers.{n}.weight': torch.randn(1024, 1024) for n in range(layers)}\n"
        "moments = {n: {'step': torch.tensor(1.0), 'exp_avg': torch.randn(1024, 1024),\n"
        "               'exp_avg_sq': torch.rand(1024, 1024)} for n in range(layers)}\n"
        "torch.save({'epoch': 1, 'state_dict': state, 'optimizer': {'state': moments}}, sys.argv[1])\n"
    )
    subprocess.run([sys.executable, "-c", program, str(path), str(gigabytes)], check=True)
    with path.open("rb+") as file:
        os.fsync(file.fileno())  # or the first copies would wait for it


def plan(path: Path, out: Path) -> None:
    from keng.ckpt.mapping import best
    from keng.ckpt.reading import read_checkpoint
    from keng.ckpt.state_dicts import entries, states

    found = {
        keys: entries(tensors) for keys, tensors in states(read_checkpoint(str(path)).root).items()
    }
    names = found["state_dict",]
    model = {name.removeprefix("module."): entry for name, entry in names.items()}
    out.write_text(json.dumps(best(found, model).as_json()))


class Copied(NamedTuple):
    """MB a second until the command returned, and until all was on the disk; MB resident at most."""

    returned: float
    on_disk: float
    memory: float


def measured(command: list[str], source: Path, out: Path) -> Copied:
    _read(source)
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    returned = time.perf_counter() - begin
    if status:
        raise SystemExit(f"{command} failed")
    with out.open("rb+") as file:
        os.fsync(file.fileno())
    on_disk = time.perf_counter() - begin
    size = out.stat().st_size / 1e6
    out.unlink()
    return Copied(size / returned, size / on_disk, usage.ru_maxrss / 1024)


def _touch() -> None:
    """In a process of its own, which gives all of it back."""
    program = (
        "import mmap, psutil\n"
        "memory = mmap.mmap(-1, int(psutil.virtual_memory().available * 0.9))\n"
        "for at in range(0, len(memory), mmap.PAGESIZE): memory[at] = 1\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def _read(source: Path) -> None:
    with source.open("rb", buffering=0) as file:
        while file.read(1 << 24):
            pass


def main() -> None:
    given = sys.argv[1:] + ["2", "5", ""][len(sys.argv) - 1 :]
    gigabytes, rounds, where = float(given[0]), int(given[1]), given[2] or None
    with tempfile.TemporaryDirectory(prefix="keng-bench-", dir=where) as name:
        folder = Path(name)
        big, out, mapping = folder / "big.pt", folder / "out.pt", folder / "plan.json"
        _touch()
        generate(big, gigabytes)
        plan(big, mapping)
        tensors = folder / "out.safetensors"
        ways = {
            "cp": (["cp", str(big), str(out)], out),
            "keng ckpt fix": ([*KENG, "fix", str(big), str(out), "--plan", str(mapping)], out),
            "keng ckpt convert (zip)": ([*KENG, "convert", str(big), str(out)], out),
            "keng ckpt convert (safetensors)": (
                [*KENG, "convert", str(big), str(tensors)],
                tensors,
            ),
        }
        order, found = list(ways), defaultdict[str, list[Copied]](list)
        for _ in range(rounds):
            for way in order:
                command, place = ways[way]
                found[way].append(measured(command, big, place))
            random.shuffle(order)
        print(f"{big.stat().st_size / 1e9:.2f} GB; medians of {rounds} (least to greatest)")
        for way, copies in found.items():
            _tell(way, copies, found["cp"])


def _tell(way: str, copies: list[Copied], beside: list[Copied]) -> None:
    pairs = list(zip(copies, beside, strict=True))
    told = [f"{way:32}"]
    for name in ("returned", "on_disk"):
        rates = [getattr(each, name) for each in copies]
        shares = [getattr(each, name) / getattr(cp, name) for each, cp in pairs]
        told.append(f"{name} {median(rates):6.0f} MB/s {_span(shares)} of cp")
    print("  ".join([*told, f"{max(each.memory for each in copies):.0f} MB resident"]), flush=True)


def _span(shares: list[float]) -> str:
    return f"{median(shares):5.2f} ({min(shares):.2f} to {max(shares):.2f})"


if __name__ == "__main__":
    main()
