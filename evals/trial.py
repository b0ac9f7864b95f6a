"""Runs one program, plain or under `keng run --json`, forked from a process that has imported torch."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import runpy
import socket
import sys
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

LONGEST = 60.0
RANK = re.compile(r"^\[rank\d+\]: ")
PRELOADED = [
    "torch",
    "torch._dynamo",
    "torch.utils.data",
    "torch.distributed",
    "keng.run",
    "keng.report",
]
Found = list[dict[str, Any]]


@dataclass(frozen=True)
class Trial:
    found: Found = field(default_factory=list)
    blind: list[Any] = field(default_factory=list)
    seconds: float = 0.0
    """Process CPU time of the first rank, without the import of torch."""
    raised: str = ""
    """What ended a rank that did not end by itself. A fault that is not silent is none of this bench."""


def trial(text: str, folder: Path, ranks: int, watched: bool) -> Trial:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "train.py"
    path.write_text(text, "utf-8")
    started = []
    for environment in _environments(ranks):
        process = context.Process(target=_run, args=(str(path), environment, watched))
        process.start()
        started.append(process)
    for process in started:
        process.join(LONGEST)
    gone = [n for n, process in enumerate(started) if (process.exitcode or 0) < 0]
    for process in started:
        process.kill()
    return _told(folder, ranks, f"killed: rank {gone[0]}" if gone else "")


def _environments(ranks: int) -> list[dict[str, str]]:
    if ranks == 1:
        return [{}]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(ranks)}
    local = {"LOCAL_WORLD_SIZE": str(ranks)}
    return [{**shared, **local, "RANK": str(n), "LOCAL_RANK": str(n)} for n in range(ranks)]


def _run(path: str, environment: dict[str, str], watched: bool) -> None:
    os.environ.update(environment, OMP_NUM_THREADS="1", NO_COLOR="1")
    # A child of a fork server would start its workers from there, too.
    multiprocessing.set_start_method("fork", force=True)
    os.chdir(os.path.dirname(path))
    rank = environment.get("RANK", "0")
    for stream, name in ((1, f"{rank}.out"), (2, f"{rank}.err")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
    sys.stdout, sys.stderr = (os.fdopen(n, "w", buffering=1, closefd=False) for n in (1, 2))
    sys.argv = [path]
    begun = process_time()
    try:
        if watched:
            from keng.cli.main import main

            sys.exit(main(["run", "--stall", "8", "--abort-on-stall", "--json", "told.json", path]))
        runpy.run_path(path, run_name="__main__")
    finally:
        Path(f"{rank}.seconds").write_text(str(process_time() - begun))


def _told(folder: Path, ranks: int, killed: str) -> Trial:
    result, seconds = folder / "told.json", folder / "0.seconds"
    told = json.loads(result.read_text("utf-8")) if result.exists() else {}
    return Trial(
        told.get("findings", []),
        told.get("blind", []),
        float(seconds.read_text()) if seconds.exists() else LONGEST,
        next(filter(None, (_raised(folder / f"{rank}.err") for rank in range(ranks))), killed),
    )


def _raised(errors: Path) -> str:
    lines = [RANK.sub("", line) for line in errors.read_text("utf-8").splitlines()]
    begun = [n for n, line in enumerate(lines) if line.startswith("Traceback ")]
    after = lines[begun[-1] + 1 :] if begun else []
    return next((line for line in after if line and not line.startswith(" ")), "")
