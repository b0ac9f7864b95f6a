"""Precision of `keng check` on real code: every finding of the default levels, as it was judged.

Usage: python benchmarks/corpus.py FOLDER [FOLDER ...]

Each FOLDER is a checkout of a repository that corpus.toml names, at the commit given there, and has the
repository's name; or the folder of a package, in a `site-packages`, of the version given there. Prints a
row for each, and what has no verdict yet; exits with 1 where there is such, or where precision is below
95 %. A debatable finding counts as a false one.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LEDGER = Path(__file__).with_name("corpus.toml")
WANTED = 0.95
VERDICTS = ("true", "debatable", "false", "unjudged")
Key = tuple[str, str, int, str]


def verdicts() -> dict[Key, str]:
    """Source, path, line and pitfall -> true, false or debatable."""
    told = tomllib.loads(LEDGER.read_text("utf-8"))
    return {
        (f"{kind} {source['name']}", *place(found["at"]), found["pitfall"]): found["verdict"]
        for kind in ("repository", "package")
        for source in told[kind]
        for found in source.get("found", ())
    }


def place(text: str) -> tuple[str, int]:
    path, _, line = text.rpartition(":")
    return path, int(line)


def findings(folder: Path) -> dict[Key, str]:
    """What is found in a folder, and its level. A package is looked at from where it is imported."""
    package = folder.parent.name == "site-packages"
    here, asked = (folder.parent, folder.name) if package else (folder, ".")
    options = ["--no-cache", "--no-gitignore", "--json"] if package else ["--no-cache", "--json"]
    command = [sys.executable, "-m", "keng", "check", *options, asked]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    source = f"{'package' if package else 'repository'} {folder.name}"
    return {
        (source, f["path"].removeprefix(f"{asked}/"), f["line"], f["pitfall"]): f["severity"]
        for f in json.loads(done.stdout)["findings"]
    }


def precision(counts: Counter[str]) -> str:
    judged = counts.total() - counts["unjudged"]
    return f"{counts['true'] / judged:.1%} of {judged}" if judged else "none found"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    known, unjudged = verdicts(), []
    levels = {level: Counter() for level in ("error", "warning")}
    print(f"{'':28}", *(f"{verdict:>10}" for verdict in VERDICTS))
    for folder in parser.parse_args().folders:
        here = Counter()
        for key, level in findings(folder.resolve()).items():
            verdict = known.get(key, "unjudged")
            here[verdict] += 1
            levels[level][verdict] += 1
            unjudged += [key] if verdict == "unjudged" else []
        print(f"{folder.name:28}", *(f"{here[verdict]:10}" for verdict in VERDICTS))
    for level, counts in levels.items():
        print(f"precision of {level}s: {precision(counts)}")
    for name, path, line, pitfall in unjudged:
        print(f"no verdict: {name}: {path}:{line}: {pitfall}")
    counts = sum(levels.values(), Counter())
    judged = counts.total() - counts["unjudged"]
    return int(bool(unjudged) or counts["true"] < WANTED * judged)


if __name__ == "__main__":
    sys.exit(main())
