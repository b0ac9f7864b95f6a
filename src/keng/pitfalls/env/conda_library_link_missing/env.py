"""The machine: the C++ library of a conda environment has lost its link."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes


@probes
def link_missing(machine: Machine) -> Hits:
    for copy in machine.libraries_of_conda("libstdc++"):
        link = f"{copy.folder}/libstdc++.so.6"
        if len(copy.version) > 1 and not machine.exists(link):
            yield machine.hit(
                say("not-there-though-system", name=link, name_2=copy.name),
                f"ln -s {copy.name} {link}",
                {copy.path: "there", link: "not there"},
            )
