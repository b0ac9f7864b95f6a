"""The machine: a library that PyTorch brings was written over by another package's."""

from __future__ import annotations

from collections.abc import Iterator

from keng.env.machine import Machine
from keng.env.packages import Package
from keng.model import Hits, say
from keng.rules import probes


@probes
def written_over(machine: Machine) -> Hits:
    """The packages of two CUDAs write a file of one name, and the size tells which was the last."""
    for own, other in _rivals(machine):
        mine, theirs = machine.files_of(own), machine.files_of(other)
        for file in mine.keys() & theirs.keys():
            place = f"{own.folder}/{file}"
            status = machine.status(place)
            size = status.st_size if status else 0
            if size == theirs[file] != mine[file]:
                yield machine.hit(
                    say(
                        "was-installed-over-pytorch",
                        name=file,
                        name_2=other.name,
                        version=other.version,
                        version_2=own.version,
                        name_3=own.name,
                    ),
                    f"pip uninstall -y {other.name} && pip install --force-reinstall --no-deps {own.name}=={own.version}",
                    {place: f"{size} bytes", own.info: mine[file]},
                )


def _rivals(machine: Machine) -> Iterator[tuple[Package, Package]]:
    """A package that PyTorch asks for, and another one that brings the same library."""
    brought, torch = machine.cuda_packages, machine.packages.get("torch")
    asked = machine.pins_of(torch) if torch is not None else {}
    for stem, own in brought:
        others = [each for kind, each in brought if kind == stem and each.name != own.name]
        yield from ((own, other) for other in others if own.name in asked)
