"""The machine: an installation of PyTorch does not come to its end."""

from __future__ import annotations

import re

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes

HALF = re.compile(r"~+(?:orch|vidia|riton)(?:[-_a-z].*)?")
"""A name of PyTorch's or its libraries' whose first letter pip has replaced."""


@probes
def renamed_and_not_removed(machine: Machine) -> Hits:
    for folder in machine.path:
        names = [name for name in machine.names(folder) if HALF.fullmatch(name)]
        if names:
            yield machine.hit(
                say("holds-installation-broke-off", name=folder, names=names[0]),
                f"rm -r {' '.join(f'{folder}/{name}' for name in names[:4])}",
                {f"{folder}/{name}": "there" for name in names[:4]},
            )


@probes
def owned_by_no_package(machine: Machine) -> Hits:
    """A package that is whole wins, wherever on the path it lies."""
    if machine.torch is not None:
        return
    for folder in machine.path:
        home = f"{folder}/torch"
        if machine.names(f"{home}/lib") and not machine.exists(f"{home}/__init__.py"):
            yield machine.hit(
                say("has-no-init-py", folder=home),
                f"rm -r {home} && pip install torch",
                {f"{home}/__init__.py": "not there", f"{home}/lib": "there"},
            )
