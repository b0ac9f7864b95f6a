"""Machines built from the TOML of a page: a folder that stands for `/`, and what stands for the rest.

cpus = 64                                     any plain field of keng.machine.Machine
[files]
"/dev/nvidia0" = ""                           a file by its text; `{ link = "name" }` is a link,
"/tmp/x/" = ""                                a name that ends with / is a folder
[environment]
[limits]
nofile = 1024
[disks]
"/dev/shm" = { total = 64, free = 64 }        MiB
[sizes]
"/dev/shm/torch_1_2" = 3000                   MiB of a file
[answers]
torch = "sm_80"                               what a child tells; others do not answer
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from keng.env.files import Space
from keng.env.machine import Machine
from keng.env.subprocesses import Silent

TOML = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
MIB = 1 << 20
NOW = 1_800_000_000.0
SITE = "/env/site-packages"


def told(text: str) -> dict[str, Any]:
    table: dict[str, Any] = TOML.loads(text)
    return table


def built(table: dict[str, Any], root: Path) -> Machine:
    """The machine that a table describes, below an empty folder."""
    plain = {name: value for name, value in table.items() if not isinstance(value, dict)}
    plain.setdefault("path", [SITE])
    _write({"/proc/mounts": "disk / ext4 rw 0 0\n", **table.get("files", {})}, root)
    for name, size in table.get("sizes", {}).items():
        os.truncate(root / name.lstrip("/"), size * MIB)  # takes no room on the disk
    disks = {path: _space(each) for path, each in table.get("disks", {}).items()}
    return Machine(
        root=str(root),
        environment=table.get("environment", {}),
        measure=disks.get,
        limits=table.get("limits", {}),
        now=NOW,
        asked=Answers(table.get("answers", {})),
        **{**plain, "path": tuple(plain["path"])},
    )


class Answers:
    def __init__(self, answers: dict[str, str]) -> None:
        self._answers = answers

    def __call__(self, question: str) -> str:
        if question not in self._answers:
            raise Silent(f"{question} is not there")
        return self._answers[question]


def _space(disk: dict[str, int]) -> Space:
    return Space(disk["total"] * MIB, disk["free"] * MIB)


def _write(files: dict[str, Any], root: Path) -> None:
    for name, what in files.items():
        place = root / name.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            place.mkdir(exist_ok=True)
        elif isinstance(what, dict):
            place.symlink_to(what["link"])
        else:
            place.write_bytes(what.encode() if isinstance(what, str) else what)
