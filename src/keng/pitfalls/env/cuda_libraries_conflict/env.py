"""The machine: copies of CUDA's libraries from several places are mixed."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.env.packages import numbers
from keng.model import Hits, say
from keng.rules import probes


@probes
def another_copy_in_front(machine: Machine) -> Hits:
    for stem, package in machine.cuda_packages:
        own = numbers(package.version)
        for copy in (*machine.libraries(stem), *machine.libraries_of_conda(stem)):
            differs = copy.version[:1] == own[:1] and copy.version[:3] != own[:3]
            if len(copy.version) < 2 or copy.folder.startswith(package.folder) or not differs:
                continue
            yield machine.hit(
                say(
                    "copy-next-to-pytorch",
                    name=copy.name,
                    folder=copy.folder,
                    version=package.version,
                ),
                copy.off_the_way,
                {copy.path: copy.by or "on the loader's way", package.info: package.version},
                sure=copy.by == "$LD_LIBRARY_PATH",
            )
            break


@probes
def libtorch_in_front(machine: Machine) -> Hits:
    torch = machine.torch
    own = machine.real(f"{torch.folder}/torch/lib") if torch is not None else ""
    for copy in machine.libraries("libc10"):
        if torch is not None and copy.by and copy.folder != own:
            yield machine.hit(
                say("libtorch-in-front", name=copy.name, folder=copy.folder),
                copy.off_the_way,
                {copy.path: copy.by, torch.file: torch.version},
            )
