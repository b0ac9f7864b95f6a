"""Lines per CPU second of `keng check`, TorchFix and ruff on the same real code, in one run.

Usage: python benchmarks/check_speed.py [FOLDER ...] [--rounds N] [--without torchfix]

The folders default to torch's own nn, optim and utils. TorchFix and ruff come from PyPI
(`pip install torchfix ruff`); all three run alone, uncached, in one process where they let us.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

BIN = Path(sys.executable).parent
KENG = [sys.executable, "-m", "keng", "check", "--exit-zero", "--output-format", "concise"]
COMMANDS = {
    "keng check": [*KENG, "--no-cache"],
    "keng again": KENG,  # nothing has changed since the round before
    "ruff check": [str(BIN / "ruff"), "check", "--no-cache", "--isolated", "--exit-zero", "--quiet"],
    "torchfix": [str(BIN / "torchfix"), "--select=ALL"],
    "ast.parse": [sys.executable, "-c", "import ast, pathlib, sys\nfor p in pathlib.Path(sys.argv[1])"
                  ".rglob('*.py'): ast.parse(p.read_bytes())"],
}  # fmt: skip


def cpu_seconds(command: list[str], tree: Path) -> float:
    """User and system time of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*command, str(tree)], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode > 1:
        sys.exit(f"{command[0]} failed: {done.stderr[-2000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def copied(folders: list[Path], into: Path) -> int:
    """Puts the Python files of the folders under one tree that no tool skips; the lines in it."""
    lines = 0
    for folder in folders:
        for file in folder.rglob("*.py"):
            target = into / folder.name / file.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
            lines += file.read_bytes().count(b"\n")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--without", action="append", default=[])
    options = parser.parse_args()
    torch = Path(sysconfig.get_paths()["purelib"]) / "torch"
    folders = options.folders or [torch / name for name in ("nn", "optim", "utils")]
    commands = {name: c for name, c in COMMANDS.items() if name not in options.without}
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name) / "tree"
        lines = copied(folders, tree)
        best: dict[str, float] = {}
        for _ in range(options.rounds):
            for command, words in commands.items():
                if command == "torchfix" and command in best:
                    continue  # minutes long; once is enough for its order of magnitude
                seconds = cpu_seconds(words, tree)
                best[command] = min(seconds, best.get(command, seconds))
    print(f"{lines:,} lines, best of {options.rounds} (torchfix once), CPU time")
    for command, seconds in best.items():
        ratio = best["keng check"] / seconds
        speed = f"{seconds:8.2f} s {lines / seconds:12,.0f} lines/s"
        print(f"{command:12} {speed}   keng takes {ratio:.3g} x its time")


if __name__ == "__main__":
    main()
