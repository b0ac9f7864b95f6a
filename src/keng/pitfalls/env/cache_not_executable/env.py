"""The machine: a folder for compiled code is mounted without the right to execute."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes

COMPILED = ("TMPDIR", "TRITON_CACHE_DIR", "TORCH_EXTENSIONS_DIR", "XDG_CACHE_HOME")


@probes
def mounted_noexec(machine: Machine) -> Hits:
    for variable, folder in machine.caches.items():
        point, _, options = machine.mount_of(folder)
        if variable in COMPILED and "noexec" in options:
            yield machine.hit(
                say("mounted-noexec-nothing-compiled", folder=point, folder_2=folder),
                f"export {variable}=/somewhere/else",
                {"/proc/mounts": f"{point} {','.join(options)}"},
            )
            return
