"""`keng ckpt show` and `scan` next to an older keng, and `convert` and `fix` next to `cp`, in one run.

    python benchmarks/ckpt_ratios.py OLD [ROUNDS [GB]]

OLD is the `src` folder of an older version (`git archive 6c26288f^ src | tar -x -C FOLDER`: before readers
accepted canonical files only). Each round runs all commands by turns. Printed are the medians of the ratios
of each round: CPU seconds of `show` and `scan`, CPU seconds for each byte written of `convert` and `fix`,
with the start of Python. Wanted: at most 1.3 times the older keng, at most 1.2 times `cp`. The script fails
where that is not kept. `ckpt_write.py` measures the time until the bytes are on the disk, which needs an idle
machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

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


def cpu(source: str, command: str, file: str, folder: str) -> float:
    """CPU seconds."""
    environment = {**os.environ, "PYTHONPATH": source}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "keng", "ckpt", command, file],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
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


def against_cp(gigabytes: float, rounds: int) -> list[tuple[str, list[float]]]:
    with tempfile.TemporaryDirectory(prefix="keng-bench-") as name:
        folder = Path(name)
        big, mapping = folder / "big.pt", folder / "plan.json"
        ckpt_write.generate(big, gigabytes)
        ckpt_write.plan(big, mapping)
        zip_, tensors = folder / "out.pt", folder / "out.safetensors"
        ways = {
            "fix": ([*ckpt_write.KENG, "fix", str(big), str(zip_), "--plan", str(mapping)], zip_),
            "convert (zip)": ([*ckpt_write.KENG, "convert", str(big), str(zip_)], zip_),
            "convert (safetensors)": (
                [*ckpt_write.KENG, "convert", str(big), str(tensors)],
                tensors,
            ),
        }
        found: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(rounds):
            copied = cost(["cp", str(big), str(zip_)], big, zip_)
            for way, (command, out) in ways.items():
                found[way].append(cost(command, big, out) / copied)
        return list(found.items())


def cost(command: list[str], source: Path, out: Path) -> float:
    """CPU seconds for each byte written; the source is in memory."""
    with source.open("rb", buffering=0) as file:
        while file.read(1 << 24):
            pass
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    size = out.stat().st_size
    with out.open("rb+") as file:
        os.fsync(file.fileno())
    out.unlink()
    return (used.ru_utime + used.ru_stime) / size


def main() -> int:
    old = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    gigabytes = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
    kept = True
    for found, wanted, what in (
        (against_older(old, rounds), WANTED, "the older keng"),
        (against_cp(gigabytes, rounds), WANTED_OF_CP, "cp"),
    ):
        for name, ratios in found:
            middle = median(ratios)
            kept = kept and middle <= wanted
            span = f"({min(ratios):.2f} to {max(ratios):.2f})"
            print(f"{name:32} {middle:5.2f} times {what} {span}", flush=True)
    print(f"at most {WANTED} and {WANTED_OF_CP} times: {'kept' if kept else 'NOT kept'}")
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main())
