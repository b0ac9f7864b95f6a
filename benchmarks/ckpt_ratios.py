"""`keng ckpt show` and `scan` next to an older keng, and `convert` and `fix` next to `cp`, in one run.

    python benchmarks/ckpt_ratios.py OLD [ROUNDS [GB]]

OLD is the `src` folder of an older version (`git archive 6c26288f^ src | tar -x -C FOLDER`: before readers
accepted canonical files only), or `-` to skip it. Commands run in pairs: keng and the older keng, or `cp`.
Printed is the median of the ratios of all pairs (least to greatest): CPU seconds of `show` and `scan`, and
CPU seconds for each byte written of `convert` and `fix`, with the start of Python. For these also the ratio
by the clock, and the least CPU time of all rounds over that of `cp`. Wanted: at most 1.3 times the older
keng, at most 1.2 times the CPU time of `cp`. The script fails if one is not kept. `ckpt_write.py` measures
the time until the bytes are on the disk, which needs an idle machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import ckpt_write  # noqa: E402

NEW = str(HERE.parent / "src")
WRITES = """
import sys, torch
from torch import nn
from safetensors.torch import save_file

model = nn.Sequential(*(nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)) for _ in range(58)))
optimizer = torch.optim.Adam(model.parameters())
model(torch.randn(8, 4)).sum().backward()
optimizer.step()
torch.save({"state_dict": model.state_dict(), "optimizer_states": [optimizer.state_dict()]}, "training.ckpt")
save_file(model.state_dict(), "weights.safetensors")
many = {f"t{n}": torch.zeros(16) for n in range(20_000)}
torch.save(many, "many.pt")
torch.save(many, "many_legacy.pt", _use_new_zipfile_serialization=False)
with torch.serialization.skip_data():
    torch.save({f"w{n}": torch.empty(1024, 1024) for n in range(400)}, "large.pt")
"""
FILES = ("training.ckpt", "weights.safetensors", "many.pt", "many_legacy.pt", "large.pt")
WANTED, WANTED_OF_CP = 1.3, 1.2


def environment(source: str) -> dict[str, str]:
    """With compiled modules, as an installed keng has them."""
    made = {**os.environ, "PYTHONPATH": source}
    made.pop("PYTHONDONTWRITEBYTECODE", None)
    return made


def cpu(source: str, command: str, file: str, folder: str) -> float:
    """CPU seconds."""
    process = subprocess.Popen(
        [sys.executable, "-m", "keng", "ckpt", command, file],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(source),
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 1), (command, file)
    return used.ru_utime + used.ru_stime


def against_older(old: str, rounds: int) -> list[tuple[str, list[float]]]:
    """The ratios of each command and file."""
    with tempfile.TemporaryDirectory(prefix="keng-bench-") as folder:
        subprocess.run([sys.executable, "-W", "ignore", "-c", WRITES], cwd=folder, check=True)
        pairs = [(command, file) for command in ("show", "scan") for file in FILES]
        found: dict[str, list[float]] = {f"{command} {file}": [] for command, file in pairs}
        for n in range(rounds + 1):
            for command, file in pairs:
                now, before = (cpu(source, command, file, folder) for source in (NEW, old))
                if n:  # the first round compiles
                    found[f"{command} {file}"].append(now / before)
        return list(found.items())


class Cost(NamedTuple):
    """CPU and wall seconds for each byte written."""

    cpu: float
    wall: float


def against_cp(gigabytes: float, rounds: int) -> list[tuple[str, list[Cost], list[Cost]]]:
    """The costs of each command, and those of the `cp` before it."""
    with tempfile.TemporaryDirectory(prefix="keng-bench-") as name:
        folder = Path(name)
        big, mapping = folder / "big.pt", folder / "plan.json"
        ckpt_write.generate(big, gigabytes)
        ckpt_write.plan(big, mapping)
        zip_, tensors = folder / "out.pt", folder / "out.safetensors"
        copying = ["cp", str(big), str(zip_)]
        ways = {
            "fix": ([*ckpt_write.KENG, "fix", str(big), str(zip_), "--plan", str(mapping)], zip_),
            "convert (zip)": ([*ckpt_write.KENG, "convert", str(big), str(zip_)], zip_),
            "convert (safetensors)": (
                [*ckpt_write.KENG, "convert", str(big), str(tensors)],
                tensors,
            ),
        }
        found: dict[str, tuple[list[Cost], list[Cost]]] = {way: ([], []) for way in ways}
        for n in range(rounds + 1):
            for way, (command, out) in ways.items():
                pair = cost(copying, big, zip_), cost(command, big, out)
                if n:  # the first round compiles
                    found[way][0].append(pair[1])
                    found[way][1].append(pair[0])
        return [(way, *pair) for way, pair in found.items()]


def cost(command: list[str], source: Path, out: Path) -> Cost:
    """The source is in memory."""
    with source.open("rb", buffering=0) as file:
        while file.read(1 << 24):
            pass
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment(NEW))
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    size = out.stat().st_size
    with out.open("rb+") as file:
        os.fsync(file.fileno())
    out.unlink()
    return Cost((used.ru_utime + used.ru_stime) / size, wall / size)


def main() -> int:
    old = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    gigabytes = float(sys.argv[3]) if len(sys.argv) > 3 else 2.0
    kept = True
    for name, ratios in against_older(old, rounds) if old != "-" else ():
        middle = median(ratios)
        kept = kept and middle <= WANTED
        span = f"({min(ratios):.2f} to {max(ratios):.2f})"
        print(f"{name:32} {middle:5.2f} times the older keng {span}", flush=True)
    for name, costs, copies in against_cp(gigabytes, rounds):
        pairs = list(zip(costs, copies, strict=True))
        ratios = [one.cpu / other.cpu for one, other in pairs]
        least = min(each.cpu for each in costs) / min(each.cpu for each in copies)
        clock = median(one.wall / other.wall for one, other in pairs)
        kept = kept and median(ratios) <= WANTED_OF_CP
        span = f"({min(ratios):.2f} to {max(ratios):.2f}; least of all {least:.2f})"
        print(
            f"{name:32} {median(ratios):5.2f} times cp {span}, by the clock {clock:.2f}", flush=True
        )
    print(f"at most {WANTED} and {WANTED_OF_CP} times: {'kept' if kept else 'NOT kept'}")
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main())
