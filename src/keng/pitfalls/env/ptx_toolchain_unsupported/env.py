"""The machine: a kernel was compiled by a CUDA newer than the driver."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.env.nvidia import VERSION_FILE
from keng.env.packages import numbers
from keng.model import Hits, say
from keng.rules import probes
from keng.tables.cuda import newest_cuda


@probes
def toolkit_newer_than_driver(machine: Machine) -> Hits:
    toolkit, driver = machine.toolkit, machine.driver
    knows = newest_cuda(numbers(driver)[0]) if driver else ""
    if not (knows and toolkit) or numbers(toolkit.version)[:2] <= numbers(knows):
        return
    architectures = machine.variable("TORCH_CUDA_ARCH_LIST")
    if architectures and "PTX" not in architectures:
        return
    yield machine.hit(
        say(
            "toolkit-at-cuda-newer",
            driver=toolkit.folder,
            version=toolkit.version,
            knows=knows,
            driver_2=driver,
        ),
        "export TORCH_CUDA_ARCH_LIST=8.6 # your card's own: then no PTX is needed",
        {toolkit.file: toolkit.version, VERSION_FILE: driver},
        # Machine code, which is compiled as well, runs with all drivers of one major version.
        sure=numbers(toolkit.version)[0] != numbers(knows)[0],
    )
