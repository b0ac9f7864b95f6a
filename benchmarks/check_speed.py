"""CPU time and memory of `keng check` next to ast.parse, ruff and TorchFix on the same code, in one run.

Usage: python benchmarks/check_speed.py [FOLDER ...] [--rounds N] [--without NAME ...]

The folders default to torch's own nn, optim and utils. TorchFix and ruff come from PyPI
(`pip install torchfix ruff`); TorchFix takes minutes, `--without torchfix` leaves it out, as for torch.
All run uncached, except `keng again`: nothing has changed since its first round. The rounds of all tools take
turns, and the least of each counts, as the machine may be busy. What Python compiles of each tool's own
modules is kept for all of them, as where they are installed. The last lines are the two promises:
`keng check` takes at most 4 times ast.parse, and `keng again` at most 1.5 times ruff, with less memory.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

BIN = Path(sys.executable).parent
PAUSE = 0.1
"""Seconds between two looks at the memory."""
KENG = [sys.executable, "-m", "keng", "check", "--exit-zero", "--output-format", "concise"]
PARSE = """
import ast, contextlib, pathlib, sys
for path in pathlib.Path(sys.argv[1]).rglob('*.py'):
    with contextlib.suppress(SyntaxError):
        ast.parse(path.read_bytes())
"""
COMMANDS = {
    "keng check": [*KENG, "--no-cache"],
    "keng again": KENG,
    "ast.parse": [sys.executable, "-W", "ignore", "-c", PARSE],
    "ruff check": [
        str(BIN / "ruff"),
        "check",
        "--no-cache",
        "--isolated",
        "--exit-zero",
        "--quiet",
    ],
    "torchfix": [str(BIN / "torchfix"), "--select=ALL"],
}


class Cost(NamedTuple):
    """CPU seconds of a command and its children; `peak` is the memory of all of them together in MB, what
    they share counted once."""

    seconds: float
    peak: float


def cost(command: list[str], tree: Path, environment: dict[str, str]) -> Cost:
    """Measured by a process of its own: the time of children is that of all there ever were."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        with tempfile.TemporaryFile() as err:
            words = [*command, str(tree)]
            done = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=err, env=environment)
            peak = 0.0
            while done.poll() is None:
                peak = max(peak, sum(map(memory, family(done.pid))))
                time.sleep(PAUSE)
            if done.returncode > 2:
                err.seek(0)
                os.write(2, err.read()[-2000:])
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.write(writing, f"{done.returncode} {used.ru_utime + used.ru_stime} {peak}".encode())
        os._exit(0)
    os.waitpid(child, 0)
    code, seconds, peak = os.read(reading, 1000).decode().split()
    if int(code) > 2:  # 2 where a file cannot be parsed
        sys.exit(f"{command[0]} failed")
    return Cost(float(seconds), float(peak))


def family(process: int) -> Iterator[int]:
    """A process and all below it."""
    yield process
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            for child in (thread / "children").read_text().split():
                yield from family(int(child))


def memory(process: int) -> float:
    """In MB; pages that several processes share are divided among them."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


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


def measured(commands: dict[str, list[str]], tree: Path, rounds: int, home: str) -> dict[str, Cost]:
    environment = {**os.environ, "XDG_CACHE_HOME": home, "PYTHONPYCACHEPREFIX": f"{home}/compiled"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    found: dict[str, Cost] = {}
    for number in range(rounds + 1):
        for name, words in commands.items():
            if name == "torchfix" and number != 1:
                continue  # minutes long; once is enough for its order of magnitude
            now = cost(words, tree, environment)
            if number:  # before the first round counts, all is compiled and cached
                found[name] = min(now, found.get(name, now))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--without", action="append", default=[])
    options = parser.parse_args()
    spec = find_spec("torch")
    assert spec is not None, "what is measured on is torch's own source"
    torch = Path(spec.origin or "").parent
    folders = options.folders or [torch / name for name in ("nn", "optim", "utils")]
    commands = {name: c for name, c in COMMANDS.items() if name not in options.without}
    with tempfile.TemporaryDirectory() as home:
        tree = Path(home) / "tree"
        lines = copied(folders, tree)
        found = measured(commands, tree, options.rounds, home)
    print(f"{lines:,} lines, the least of {options.rounds} rounds (torchfix: one), CPU time")
    print("                  seconds    lines/s   keng check takes   peak MB")
    for name, (seconds, peak) in found.items():
        ratio = found["keng check"].seconds / seconds
        print(f"{name:12} {seconds:12.2f} {lines / seconds:10,.0f} {ratio:14.3g} x {peak:11.0f}")
    for name, base, most in (("keng check", "ast.parse", 4), ("keng again", "ruff check", 1.5)):
        if base in found:
            ratio = found[name].seconds / found[base].seconds
            print(f"{name}: {ratio:.2f} times {base} (at most {most})")


if __name__ == "__main__":
    main()
