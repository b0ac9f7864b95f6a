"""The machine: a file has the name of a module and is imported in its place."""

from __future__ import annotations

import os

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.pitfalls.env.module_shadowed._shared import OURS, PYTHONS
from keng.rules import probes


@probes
def file_with_a_modules_name(machine: Machine) -> Hits:
    here = machine.here.rstrip("/")
    for name in (*OURS, *PYTHONS):
        for path in (f"{here}/{name}.py", f"{here}/{name}/__init__.py"):
            file = path.removesuffix("/__init__.py")
            # A source tree that was built in place is what its makers want to import.
            built = machine.exists(f"{file}/version.py")
            if not machine.exists(path) or built or here in machine.path:
                continue
            is_source = path != file and machine.exists(f"{here}/setup.py")
            away = f"mv {file} {here}/my_{os.path.basename(file)}"
            cure = f"cd {os.path.dirname(here)}" if is_source else away
            says = say("imported-instead-of", file=file, name=name)
            yield machine.hit(says, cure, {path: "there"}, sure=name in OURS)
