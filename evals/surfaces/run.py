"""Blind exams of `keng run`: `python benchmarks/unseen/exam.py [--second | --third ...] [NAME ...]`.

faulty/ and clean/, also of second/ to fifth/, hold programs that were committed before keng ever
saw them: a file each, or a package whose `train` is run by `-m`. In a faulty one `#: NAME ...` marks a
line that may be told, with the pitfalls of which one is to be named; `#: -` where no pitfall of keng's
says it. Each program runs plainly and under `keng run`: its output, which ends in a digest of its
weights, and its exit code must be the same.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import runpy
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MARK = re.compile(r"  #: (?P<names>-|[-a-z ]+)$")
LATER = "second", "third", "fourth", "fifth"
LONGEST = 120
PRELOADED = """
torch torch._dynamo torch.utils.data keng.run keng.report
sklearn.datasets sklearn.metrics sklearn.model_selection
""".split()


@dataclass(frozen=True)
class Program:
    path: Path
    """A file, or the folder of a package."""

    @property
    def name(self) -> str:
        return self.path.stem

    def wanted(self) -> dict[tuple[str, int], set[str]]:
        """File name and line -> the pitfalls that may be named there."""
        files = self.path.glob("*.py") if self.path.is_dir() else [self.path]
        return {
            (file.name, line): set(mark["names"].split()) - {"-"}
            for file in files
            for line, text in enumerate(file.read_text("utf-8").splitlines(), 1)
            if (mark := MARK.search(text))
        }


@dataclass(frozen=True)
class Run:
    output: str
    code: int
    told: dict[str, Any]


def run(program: Program, watched: bool) -> Run:
    """In a process forked from one that has imported torch."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    with tempfile.TemporaryDirectory() as folder:
        process = context.Process(target=_run, args=(program.path, folder, watched))
        process.start()
        process.join(LONGEST)
        process.kill()
        process.join()
        told = Path(folder, "told.json")
        result = json.loads(told.read_text("utf-8")) if told.exists() else {}
        return Run(Path(folder, "out").read_text("utf-8"), process.exitcode or 0, result)


def _run(path: Path, folder: str, watched: bool) -> None:
    # A child of a fork server would start its workers from there, too.
    multiprocessing.set_start_method("fork", force=True)
    os.chdir(path.parent)
    for stream, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
    sys.stdout, sys.stderr = (os.fdopen(n, "w", buffering=1, closefd=False) for n in (1, 2))
    sys.path[:0] = [str(path.parent), str(HERE)]
    if watched:
        from keng.cli.main import main

        command = ["-m", f"{path.name}.train"] if path.is_dir() else [str(path)]
        sys.exit(main(["run", "--json", f"{folder}/told.json", *command]))
    if path.is_dir():
        sys.argv = [path.name]
        runpy.run_module(f"{path.name}.train", run_name="__main__", alter_sys=True)
    else:
        sys.argv = [str(path)]
        runpy.run_path(str(path), run_name="__main__")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    for each in LATER:
        parser.add_argument(f"--{each}", action="store_true", help=f"the programs of {each}/")
    asked = parser.parse_args()
    # Two threads add up in the order in which they come, where the machine is busy.
    os.environ["OMP_NUM_THREADS"] = "1"
    folder = next((HERE / each for each in LATER if getattr(asked, each)), HERE)
    counts = dict.fromkeys(("programs", "named", "line", "other", "alarms", "changed"), 0)
    for kind in ("faulty", "clean"):
        for path in sorted((folder / kind).iterdir()):
            if path.name == "__pycache__" or (asked.names and path.stem not in asked.names):
                continue
            row = judged(Program(path))
            print(f"{kind:7}{row.pop('shown')}", flush=True)
            for name, count in row.items():
                counts[f"{name}"] += count
    print(", ".join(f"{count} {name}" for name, count in counts.items()))


def judged(program: Program) -> dict[str, Any]:
    plain, watched = run(program, watched=False), run(program, watched=True)
    wanted = program.wanted()
    names = {name for some in wanted.values() for name in some}
    found = watched.told.get("findings", [])
    named = [each for each in found if each["pitfall"] in names]
    line = [each for each in named if each["pitfall"] in wanted.get(_place(each), ())]
    others = [each for each in found if each["pitfall"] not in names]
    changed = (plain.output, plain.code) != (watched.output, watched.code)
    verdict = "at the line" if line else "named" if named else "missed" if wanted else "clean"
    shown = f"{program.name:32}{verdict:14}{'OUTPUT CHANGED ' if changed else ''}"
    shown += "; ".join(
        f"{each['pitfall']} {':'.join(map(str, _place(each)))}"
        for each in ([] if line else named) + others
    )
    if plain.code:
        shown += f" (exit code {plain.code})"
    if watched.told.get("blind"):
        shown += f" (blind: {watched.told['blind']})"
    return {
        "shown": shown,
        "programs": 1,
        "named": bool(named),
        "line": bool(line),
        "other" if wanted else "alarms": len(others),
        "changed": changed,
    }


def _place(found: dict[str, Any]) -> tuple[str, int]:
    return Path(found.get("path") or "").name, int(found.get("line") or 0)


if __name__ == "__main__":
    main()
