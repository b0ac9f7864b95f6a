"""The machine: an extension was compiled for another PyTorch."""

from __future__ import annotations

import os
import re

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes

INCLUDES = re.compile(r"\S*/torch/include(?=\s|$)")


@probes
def compiled_against_another_copy(machine: Machine) -> Hits:
    torch, ours = machine.torch, f"/py{machine.python.replace('.', '')}_"
    for library in machine.extension_files(".so") if torch is not None else ():
        folder = os.path.dirname(library)
        includes = INCLUDES.findall(machine.read(f"{folder}/build.ninja"))
        if torch is None or not includes or ours not in folder:
            continue
        own = machine.real(f"{torch.folder}/torch/include")
        if own not in {machine.real(include) for include in includes}:
            yield machine.hit(
                say(
                    "compiled-against-another-copy",
                    library=library,
                    includes=includes[0],
                    folder=torch.folder,
                ),
                f"rm -r {folder}",
                {f"{folder}/build.ninja": includes[0], torch.file: torch.version},
            )
