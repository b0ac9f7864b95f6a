"""The machine: extensions are compiled with another CUDA than PyTorch's."""

from __future__ import annotations

import re

from keng.env.machine import Machine
from keng.env.packages import numbers
from keng.model import Hits, say
from keng.rules import probes

NEWEST = re.compile(r"gcc versions later than (\d{1,2}) are not supported")


@probes
def compiler_of_another_cuda(machine: Machine) -> Hits:
    torch, toolkit = machine.torch, machine.toolkit
    if torch is None or toolkit is None or not torch.cuda:
        return
    if numbers(toolkit.version)[:1] != numbers(torch.cuda)[:1]:
        yield machine.hit(
            say(
                "toolkit-of-another-cuda",
                folder=toolkit.folder,
                version=".".join(toolkit.version.split(".")[:2]),
                cuda=torch.cuda,
            ),
            f"export CUDA_HOME=/usr/local/cuda-{torch.cuda}",
            {toolkit.file: toolkit.version, torch.file: torch.cuda},
        )


@probes
def compiler_newer_than_nvcc(machine: Machine) -> Hits:
    torch, toolkit = machine.torch, machine.toolkit
    if torch is None or toolkit is None or not torch.cuda:
        return
    newest = NEWEST.search(machine.read(toolkit.host_config))
    compiler = machine.program(machine.variable("CC") or "gcc")
    own = re.search(r"gcc-(\d{1,2})$", compiler)
    if newest is not None and own is not None and int(own[1]) > int(newest[1]):
        yield machine.hit(
            say("compiler-newer-than-nvcc", cuda=toolkit.version, newest=newest[1], gcc=own[1]),
            f"sudo apt install g++-{newest[1]} && export CC=gcc-{newest[1]} CXX=g++-{newest[1]}",
            {compiler: own[0], toolkit.host_config: newest[0]},
        )
