"""The machine: the C++ library of a conda environment has lost its link."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits
from keng.rules import probes


@probes
def link_missing(machine: Machine) -> Hits:
    for copy in machine.libraries_of_conda("libstdc++"):
        link = f"{copy.folder}/libstdc++.so.6"
        if len(copy.version) > 1 and not machine.exists(link):
            yield machine.hit(
                f"{link} is not there, though {copy.name} is: the system's copy, which may be older, is loaded instead",
                f"ln -s {copy.name} {link}",
                {copy.path: "there", link: "not there"},
            )
