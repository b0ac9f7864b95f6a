"""Precision of `keng check` on real code: every finding of the default levels, as it was judged.

Usage: python benchmarks/corpus.py FOLDER [FOLDER ...]

Each FOLDER is a checkout of a repository that corpus.toml names, at the commit given there, and has the
repository's name; `site-packages` stands for the packages installed beside torch. Prints a row a
repository, and what has no verdict yet; exits with 1 where there is such, or where precision is below
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
Key = tuple[str, str, int, str]


def verdicts() -> dict[Key, str]:
    """Repository, path, line and pitfall -> true, false or debatable."""
    told = tomllib.loads(LEDGER.read_text("utf-8"))
    return {
        (repository["name"], *place(found["at"]), found["pitfall"]): found["verdict"]
        for repository in told["repository"]
        for found in repository.get("found", ())
    }


def place(text: str) -> tuple[str, int]:
    path, _, line = text.rpartition(":")
    return path, int(line)


def findings(folder: Path) -> list[Key]:
    command = [sys.executable, "-m", "keng", "check", "--no-cache", "--json", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    told = json.loads(done.stdout)["findings"]
    return [(folder.name, f["path"], f["line"], f["pitfall"]) for f in told]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    known, counts, unjudged = verdicts(), Counter(), []
    print(f"{'repository':16} {'true':>6} {'debatable':>10} {'false':>6} {'unjudged':>9}")
    for folder in parser.parse_args().folders:
        found = findings(folder.resolve())
        here = Counter(known.get(key, "unjudged") for key in found)
        unjudged += [key for key in found if key not in known]
        counts += here
        row = [here[verdict] for verdict in ("true", "debatable", "false", "unjudged")]
        print(f"{folder.name:16} {row[0]:6} {row[1]:10} {row[2]:6} {row[3]:9}")
    judged = counts.total() - counts["unjudged"]
    precision = counts["true"] / judged if judged else 1.0
    print(f"precision {precision:.1%} of {judged} judged findings")
    for name, path, line, pitfall in unjudged:
        print(f"no verdict: {name}: {path}:{line}: {pitfall}")
    return int(bool(unjudged) or precision < WANTED)


if __name__ == "__main__":
    sys.exit(main())
