"""Runs all rules for source code over installed packages, and fails where one of them raises.

Usage: python tools/check_installed.py [--least LINES] [PACKAGE | FOLDER ...]

Without names it takes the packages below, as far as they are installed. `--least` fails a run that has
checked fewer lines: a million by default.
"""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from keng import check, pitfalls
from keng.model import Skipped

PACKAGES = (
    *("torch", "transformers", "torch_geometric", "lightning", "peft", "trl", "accelerate"),
    *("diffusers", "torchmetrics", "kornia", "stable_baselines3"),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", default=PACKAGES)
    parser.add_argument("--least", type=int, default=1_000_000)
    options = parser.parse_args()
    every = list(pitfalls.having("check"))
    lines, failures = 0, list[Skipped]()
    for name in options.names:
        folder = home_of(name)
        if folder is None:
            print(f"{name}: not installed")
            continue
        result = check.run([str(folder)], every, suspicious=True)
        failed = [each for each in result.skipped if each.ours]
        here = sum(file.read_bytes().count(b"\n") for file in folder.rglob("*.py"))
        print(f"{name}: {here:,} lines, {len(result.findings)} findings, {len(failed)} exceptions")
        lines, failures = lines + here, failures + failed
    for each in failures:
        print(f"{each.path}: {each.why}")
    if lines < options.least:
        print(f"{lines:,} lines are fewer than {options.least:,}")
    return 1 if failures or lines < options.least else 0


def home_of(name: str) -> Path | None:
    """The folder of that path, or of the package of that name."""
    if Path(name).is_dir():
        return Path(name)
    spec = find_spec(name)
    return Path(spec.origin).parent if spec is not None and spec.origin else None


if __name__ == "__main__":
    sys.exit(main())
