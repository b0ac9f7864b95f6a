"""Runs a program as the ranks of one job, forked from a process that has imported torch."""

from __future__ import annotations

import json
import multiprocessing
import os
import runpy
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keng.battery.programs import PRELOADED, environments
from keng.battery.programs import Program as Environment

LONGEST = 60.0


@dataclass(frozen=True)
class Rank:
    """How one rank ended (a signal is negative) and what it wrote."""

    code: int | None
    out: str
    err: str


@dataclass(frozen=True)
class Job:
    ranks: list[Rank]
    told: dict[str, Any]

    @property
    def codes(self) -> list[int | None]:
        return [rank.code for rank in self.ranks]

    @property
    def found(self) -> list[tuple[str, int]]:
        return [(each["pitfall"], each["line"]) for each in self.told["findings"]]


def job(text: str, folder: Path, *options: str, ranks: int = 2, journal: str = "") -> Job:
    """Under `keng run`; as plain Python does where an option is "plain". `journal` is "wrapped" as
    in a torch without a flight recorder, or "lacking" as in one without what is needed."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    path = folder / "train.py"
    path.write_text(text)
    started = []
    for number, environment in enumerate(environments(Environment(text, ranks=ranks))):
        args = (str(path), str(folder / str(number)), options, environment, journal)
        started.append(context.Process(target=_rank, args=args))
        started[-1].start()
    for process in started:
        process.join(LONGEST)
        process.kill()
        process.join()
    result = folder / "told.json"
    return Job(
        [_ended(process.exitcode, folder / str(n)) for n, process in enumerate(started)],
        json.loads(result.read_text()) if result.exists() else {},
    )


def _ended(code: int | None, base: Path) -> Rank:
    texts = [base.with_suffix(suffix).read_text() for suffix in (".out", ".err")]
    return Rank(code, *texts)


def _rank(
    path: str, base: str, options: tuple[str, ...], environment: dict[str, str], journal: str
) -> None:
    os.environ.update(environment, OMP_NUM_THREADS="1", NO_COLOR="1")
    os.chdir(os.path.dirname(path))
    for stream, suffix in ((1, ".out"), (2, ".err")):
        os.dup2(os.open(base + suffix, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
    sys.stdout, sys.stderr = (os.fdopen(n, "w", buffering=1, closefd=False) for n in (1, 2))
    sys.argv = [path]
    if "plain" in options:
        runpy.run_path(path, run_name="__main__")
        return
    if journal == "wrapped":
        from keng.ranks.collect import journal as recorder

        recorder.has_recorder = lambda: False
    if journal == "lacking":
        from torch.distributed import distributed_c10d

        vars(distributed_c10d)["_store_of"] = vars(distributed_c10d).pop("_get_default_store")
    from keng.cli.main import main

    sys.exit(main(["run", "--json", "told.json", *options, path]))
