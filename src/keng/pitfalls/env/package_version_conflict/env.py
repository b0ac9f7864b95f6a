"""The machine: an installed package and PyTorch need different versions of each other."""

from __future__ import annotations

import re

from keng.env.machine import Machine
from keng.env.packages import numbers
from keng.model import Hits, say
from keng.rules import probes

MADE_FOR = re.compile(
    r"\+[\w.]{0,12}?(?:torch(?P<dotted>\d\.\d{1,2})|torch(?P<patched>\d{2,3})\d|pt(?P<plain>\d{2,3}))(?=cu|cpu|cxx|rocm)"
)
"""flash-attn's "+cu12torch2.5cxx11", natten's "+torch250cu124", PyG's "+pt25cu124"."""


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


@probes
def made_for_another(machine: Machine) -> Hits:
    torch = machine.torch
    if torch is None:
        return
    for name, package in machine.packages.items():
        told = f"{package.info}/direct_url.json"
        found = MADE_FOR.search(package.version) or MADE_FOR.search(machine.read(told))
        if found is None:
            continue
        digits = found["patched"] or found["plain"] or ""
        release = found["dotted"] or f"{digits[0]}.{digits[1:]}"
        if numbers(release) != numbers(torch.version)[:2]:
            yield machine.hit(
                say(
                    "was-made-pytorch-installed",
                    own=name,
                    version=package.version,
                    release=release,
                    version_2=torch.version,
                ),
                f"pip install --no-build-isolation --no-binary {name} --force-reinstall --no-deps {name}",
                {package.info: found[0], torch.file: torch.version},
            )
