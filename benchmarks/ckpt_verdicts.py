"""What scanners say of files that act, that deceive, and that are harmless: keng beside others.

    python benchmarks/ckpt_verdicts.py [MODELSCAN]

The files are those of tests/bad_files.py, and a pickle that calls it for each of the names in
tests/test_ckpt_machine.py that act. picklescan and fickling are asked where they are installed; modelscan,
which wants other versions of its libraries, by the path of its command. A scanner has seen a file where it
exits as for one that is dangerous; "unsure" is any other exit that is no success: errors, nothing scanned.
Nothing is loaded.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import bad_files
from test_ckpt_machine import ACTS

PICKLESCAN = "import sys; from picklescan.cli import main; sys.exit(main())"
"""`python -m picklescan` does not hand on its exit code."""
WAYS = {
    "keng": [sys.executable, "-m", "keng", "ckpt", "scan"],
    "picklescan": [sys.executable, "-c", PICKLESCAN, "-p"],
    "fickling": [sys.executable, "-m", "fickling", "--check-safety"],
}
SEEN = {"keng": 2, "picklescan": 1, "fickling": 1, "modelscan": 1}
"""The exit code for what is dangerous."""


def gadgets() -> list[bad_files.Bad]:
    def pickle(name: str) -> bytes:
        module, _, function = name.rpartition(".")
        return f"\x80\x04\x8c{chr(len(module))}{module}\x8c{chr(len(function))}{function}".encode(
            "latin-1"
        ) + (b"\x93\x8c\x01x\x85R.")

    return [bad_files.Bad(f"{name}.pkl", pickle(name), "DANGEROUS", "") for name in ACTS]


def said(way: str, command: list[str], path: Path) -> str:
    done = subprocess.run([*command, str(path)], capture_output=True, check=False, cwd=path.parent)
    if way == "keng" and b"BROKEN" in done.stdout:
        return "unsure"
    return {0: "passed", SEEN[way]: "seen"}.get(done.returncode, "unsure")


def main() -> None:
    ways = {way: command for way, command in WAYS.items() if way == "keng" or find_spec(way)}
    if len(sys.argv) > 1:
        ways["modelscan"] = [sys.argv[1], "-p"]
    groups = {
        "act": list(bad_files.dangerous()),
        "act, one name each": gadgets(),
        "readers differ, or a name is not known": list(bad_files.not_known()),
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
                told = ", ".join(f"{count[word]} {word}" for word in ("seen", "unsure", "passed"))
                print(f"  {way:12} {told}", flush=True)


if __name__ == "__main__":
    main()
