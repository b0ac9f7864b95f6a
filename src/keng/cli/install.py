"""How keng comes into the environment of a program."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence

from keng._util.texts import sentence
from keng.cli.commands import Usage, refused


def missing_torch(args: Sequence[str]) -> str:
    """That there is no PyTorch here, and what to type so that keng with these arguments
    runs in an environment that has it."""
    python = next(_with_torch(), "")
    if not python:
        return sentence("torch_missing", python=sys.executable)
    command = f"{python} -m keng {' '.join(args)}"
    return sentence("torch_elsewhere", python=sys.executable, other=python, command=command)


def needed(command: str, error: ImportError) -> Usage:
    """That a command needs a package that is not installed in this environment."""
    if (error.name or "").partition(".")[0] == "torch":
        return refused(command, missing_torch([command, "..."]))
    package = error.name or str(error)
    return refused(command, sentence("command_needs_package", package=package, spec=package))


def _with_torch() -> Iterator[str]:
    """The interpreters of environments that are active or in this folder, and have torch."""
    active = filter(None, map(os.environ.get, ("VIRTUAL_ENV", "CONDA_PREFIX")))
    for home in (*active, ".venv", "venv", "env"):
        python = os.path.join(home, "Scripts/python.exe" if os.name == "nt" else "bin/python")
        if not os.path.exists(python) or os.path.realpath(home) == os.path.realpath(sys.prefix):
            continue
        if any(os.path.isdir(os.path.join(each, "torch")) for each in _packages(home)):
            yield python


def _packages(home: str) -> Iterator[str]:
    lib = os.path.join(home, "Lib" if os.name == "nt" else "lib")
    if os.path.isdir(lib):
        yield os.path.join(lib, "site-packages")
        yield from (os.path.join(lib, each, "site-packages") for each in os.listdir(lib))
