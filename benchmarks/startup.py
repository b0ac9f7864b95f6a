"""CPU time of `keng --version`, `keng explain TEXT` and `keng env`, beside a Python that does nothing.

Usage: python benchmarks/startup.py [--rounds N]

Commands run in turn, so that what slows the machine slows all; the best of the rounds counts.
Exits 1 where a promise is broken.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from pathlib import Path

KENG = str(Path(sys.executable).parent / "keng")
TEXT = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x4 and 3x3)"
TRACEBACK = f"""Traceback (most recent call last):
  File "/home/u/train.py", line 12, in <module>
    out = model(x)
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py", line 116, in forward
    return F.linear(input, self.weight, self.bias)
{TEXT}"""
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "keng --version": [KENG, "--version"],
    "keng explain MESSAGE": [KENG, "explain", TEXT],
    "keng explain TRACEBACK": [KENG, "explain", TRACEBACK],
    "keng env": [KENG, "env"],
}


def cpu_seconds(command: list[str]) -> float:
    """User and system time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(options.rounds):
        for name, command in COMMANDS.items():
            best[name] = min(best[name], cpu_seconds(command))
    bare = best["python -c pass"]
    explain = max(best["keng explain MESSAGE"], best["keng explain TRACEBACK"])
    print(f"CPU time, best of {options.rounds}")
    for name, seconds in best.items():
        print(f"{name:24} {seconds * 1000:6.0f} ms   {seconds / bare:5.2f} x python -c pass")
    kept = best["keng --version"] <= 1.5 * bare + 0.040 and explain <= 0.250
    kept = kept and best["keng env"] <= 0.300
    print(
        "promised: --version at most 1.5 x and 40 ms, explain at most 250 ms, env at most 300 ms:",
        "kept" if kept else "broken",
    )
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
