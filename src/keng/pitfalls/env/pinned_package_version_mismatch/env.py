"""The machine: a package that PyTorch is tied to is installed in another version."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes


@probes
def other_than_asked_for(machine: Machine) -> Hits:
    packages = machine.packages
    torch = packages.get("torch")
    for name, wanted in machine.pins_of(torch).items() if torch is not None else ():
        there = packages.get(name)
        version = there.version if there else "not installed"
        if torch is not None and version.partition("+")[0] != wanted.partition("+")[0]:
            yield machine.hit(
                say(
                    "pinned-to-another-version",
                    name=name,
                    version=version,
                    torch=torch.version,
                    wanted=wanted,
                )
                if there
                else say("pinned-not-installed", name=name, torch=torch.version, wanted=wanted),
                f"pip install {name}=={wanted}",
                {
                    f"{torch.info}/METADATA": f"{name}=={wanted}",
                    there.info if there else torch.folder: version,
                },
            )
