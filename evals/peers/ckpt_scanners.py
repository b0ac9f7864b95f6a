"""`keng ckpt scan` and other scanners on files that act, that deceive, and that are harmless.

Usage: python -m evals.peers.ckpt_scanners [COMMAND ...]

COMMAND is the path of `picklescan`, `fickling` or `modelscan`, each of which may need an environment of its
own. The files are those of tests/support/bad_files.py, and a pickle that calls it for each of the names in
tests/ckpt/test_pickle_machine.py that act. A scanner has seen a file if it exits with its code for a
dangerous one; "unsure" is any other failure (errors, nothing scanned); "slow" is a minute. Nothing is loaded.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from evals.sets import HOME

sys.path[:0] = [str(HOME.parent / "tests/support"), str(HOME.parent / "tests/ckpt")]

from test_pickle_machine import ACTS  # noqa: E402

import bad_files  # noqa: E402

KENG = [sys.executable, "-m", "keng", "ckpt", "scan"]
ASKED = {
    "picklescan": ["-p"],
    "fickling": ["--check-safety"],
    "modelscan": ["-p"],
}
SEEN = {"keng": 2, "picklescan": 1, "fickling": 1, "modelscan": 1}
"""The exit code for a dangerous file."""
LONGEST = 60
"""Seconds."""


def gadgets() -> list[bad_files.Bad]:
    def pickle(name: str) -> bytes:
        module, _, function = name.rpartition(".")
        return f"\x80\x04\x8c{chr(len(module))}{module}\x8c{chr(len(function))}{function}".encode(
            "latin-1"
        ) + (b"\x93\x8c\x01x\x85R.")

    return [bad_files.Bad(f"{name}.pkl", pickle(name), "DANGEROUS", "") for name in ACTS]


def said(way: str, command: list[str], path: Path) -> str:
    try:
        done = subprocess.run(
            [*command, str(path)],
            capture_output=True,
            check=False,
            cwd=path.parent,
            timeout=LONGEST,
        )
    except subprocess.TimeoutExpired:
        return "slow"
    if way == "keng" and b"BROKEN" in done.stdout:
        return "unsure"
    return {0: "passed", SEEN[way]: "seen"}.get(done.returncode, "unsure")


def main() -> None:
    given = {Path(path).name: path for path in sys.argv[1:]}
    ways = {"keng": KENG} | {name: [path, *ASKED[name]] for name, path in given.items()}
    groups = {
        "act": list(bad_files.dangerous()),
        "act, one name each": gadgets(),
        "readers differ, or a name is not known": list(bad_files.not_known()),
        "damaged, or no checkpoint": list(bad_files.damaged()),
        "made to be slow or large": list(bad_files.enormous()),
        "headers of safetensors": list(bad_files.headers()),
        "harmless": list(bad_files.harmless()),
    }
    with tempfile.TemporaryDirectory(prefix="keng-bench-") as folder:
        for group, bads in groups.items():
            counts = {way: Counter[str]() for way in ways}
            for bad in bads:
                path = Path(folder, bad.file)
                path.write_bytes(bad.data)
                words = {way: said(way, command, path) for way, command in ways.items()}
                for way, word in words.items():
                    counts[way][word] += 1
                print(
                    f"  {bad.file:40} " + "  ".join(f"{w} {x}" for w, x in words.items()),
                    flush=True,
                )
                path.unlink()
            print(f"{group}: {len(bads)} files")
            for way, count in counts.items():
                told = ", ".join(
                    f"{count[word]} {word}" for word in ("seen", "unsure", "passed", "slow")
                )
                print(f"  {way:12} {told}", flush=True)


if __name__ == "__main__":
    main()
