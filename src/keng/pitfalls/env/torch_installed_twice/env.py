"""The machine: several copies of PyTorch are installed."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.env.packages import numbers, parts
from keng.model import Hits, say
from keng.rules import probes


@probes
def several_copies(machine: Machine) -> Hits:
    copies = {(machine.real(c.folder), c.version): c for c in machine.copies_of("torch")}
    if len(copies) < 2:
        return
    first, second, *_ = copies.values()
    together = machine.real(first.folder) == machine.real(second.folder)
    release = parts(max(first.version, second.version, key=numbers))[0]
    lower, higher = sorted((first.version, second.version))
    says = say("two-versions-in-one-folder", first=lower, second=higher)
    hides = say(
        "another-copy-hidden",
        version=first.version,
        folder=first.folder,
        hidden=second.version,
        other=second.folder,
    )
    yield machine.hit(
        says if together else hides,
        f"pip uninstall -y torch && pip uninstall -y torch && pip install torch=={release}"
        if together
        else f"pip uninstall -y torch # {first.version}, which is in front",
        {copy.info: copy.version for copy in (first, second)},
    )
