"""What it costs to ask what is in a checkpoint: keng beside torch.load, picklescan and modelscan.

Usage: python benchmarks/ckpt_read.py [FOLDER [PYTHON ...]]

Three files are written, once, into FOLDER (/tmp/keng-bench): 4 GB of a Lightning-like training state, its
bytes never written out (the file is sparse); 1.3 GB in the format from before 1.6; 100,000 tensors of 64
bytes. Each command is a process of its own, best of three, ended after two minutes; CPU time and the
greatest resident memory. picklescan and modelscan are asked where one of the Pythons given has them, as
they may want environments of their own. Python's files are compiled in the first round. Exits 1 where a
promise is broken.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

WRITE = """
import sys
import torch
from torch.serialization import skip_data

folder = sys.argv[1]
def weights(count, rows):
    return {f"module.layer{n}.weight": torch.empty(rows, 1024) for n in range(count)}
with skip_data():
    whole = {"state_dict": weights(409, 800), "epoch": 3, "pytorch-lightning_version": "2.4.0"}
    moments = {n: {"exp_avg": torch.empty(800, 1024), "exp_avg_sq": torch.empty(800, 1024),
                   "step": torch.empty(())} for n in range(409)}
    whole["optimizer_states"] = [{"state": moments, "param_groups": [{"lr": 0.1}]}]
    torch.save(whole, f"{folder}/big.pt")
torch.save(weights(409, 780), f"{folder}/legacy.pth", _use_new_zipfile_serialization=False)
torch.save({f"t{n}": torch.zeros(16) for n in range(100_000)}, f"{folder}/many.pt")
"""
FILES = {"big": "big.pt", "legacy": "legacy.pth", "many": "many.pt"}
KENG = str(Path(sys.executable).parent / "keng")
PEAK = "next(int(l.split()[1]) for l in open('/proc/self/status') if l.startswith('VmHWM'))"
TELL = f"import sys; sys.stderr.write('peak %d' % {PEAK})"
TORCH = "import torch, sys; torch.load(sys.argv[1], {how})"
WAYS = {
    "python -c pass": "pass",
    "keng ckpt show": (
        "import sys; from keng.cli.main import main; main(['ckpt', 'show', sys.argv[1]])"
    ),
    "torch.load": TORCH.format(how="weights_only=True"),
    "torch.load, mmap": TORCH.format(how="weights_only=True, mmap=True"),
    "torch.load, meta": TORCH.format(how="weights_only=True, map_location='meta'"),
}
SCANNERS = {
    "picklescan": (
        "import sys; from picklescan.cli import main; sys.argv = ['picklescan', '-p', sys.argv[1]]\n"
        "try: main()\nexcept SystemExit: pass"
    ),
    "modelscan": (
        "import sys; from modelscan.cli import cli; sys.argv = ['modelscan', '-p', sys.argv[1]]\n"
        "try: cli()\nexcept SystemExit: pass"
    ),
}
LONGEST = 120
"""Seconds."""


def measured(python: str, program: str, path: str) -> tuple[float, float, bool]:
    """CPU seconds, greatest resident MB, and whether it did what it should."""
    best, peak, good = float("inf"), 0.0, True
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [python, "-c", f"{program}\n{TELL}", path]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, env=environment, timeout=LONGEST
            )
            good = good and done.returncode == 0
        except subprocess.TimeoutExpired:
            good = False
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best, took)
        peak = max(peak, int(done.stderr.rpartition("peak ")[2] or 0) / 1024) if good else 0
        if took > 5 or not good:
            break
    return best, peak, good


def has(python: str, name: str) -> bool:
    return not subprocess.run([python, "-c", f"import {name}"], capture_output=True).returncode


def main() -> int:
    folder = sys.argv[1] if len(sys.argv) > 1 else "/tmp/keng-bench"
    os.makedirs(folder, exist_ok=True)
    if not all(os.path.exists(os.path.join(folder, name)) for name in FILES.values()):
        subprocess.run([sys.executable, "-W", "ignore", "-c", WRITE, folder], check=True)
    ways = {way: (sys.executable, program) for way, program in WAYS.items()}
    for python in sys.argv[2:]:
        ways |= {name: (python, SCANNERS[name]) for name in SCANNERS if has(python, name)}
    found = {}
    for file, name in FILES.items():
        path = os.path.join(folder, name)
        print(f"{name}, {os.path.getsize(path) / 1e9:.2f} GB")
        for way, (python, program) in ways.items():
            found[file, way] = took, peak, good = measured(python, program, path)
            ratio = took / found[file, "python -c pass"][0]
            more = "" if good else "   refused, or not finished"
            print(f"  {way:18} {took:7.3f} s {ratio:7.1f} x {peak:7.0f} MB{more}", flush=True)
    return _promises(found)


def _promises(found: dict[tuple[str, str], tuple[float, float, bool]]) -> int:
    keng = {file: found[file, "keng ckpt show"] for file in FILES}
    bare = found["big", "python -c pass"][0]
    kept = {
        "big: at most 3 x python -c pass": keng["big"][0] <= 3 * bare,
        "big: at most 40 MB": keng["big"][1] <= 40,
        "legacy: without its tensors": keng["legacy"][1] <= 60 and keng["legacy"][2],
        "many: no slower than meta": keng["many"][0] <= found["many", "torch.load, meta"][0],
        "many: at most 250 MB": keng["many"][1] <= 250,
    }
    for promise, good in kept.items():
        print(f"promised, {promise}: {'kept' if good else 'broken'}")
    return 0 if all(kept.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
