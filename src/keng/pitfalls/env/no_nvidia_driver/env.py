"""The machine: pyTorch finds no NVIDIA driver, or no card."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.env.nvidia import VERSION_FILE
from keng.env.packages import numbers
from keng.model import Hits, say
from keng.rules import probes
from keng.tables.cuda import LEAST_DRIVER, newest_cuda


@probes
def driver_older_than_cuda(machine: Machine) -> Hits:
    torch, driver = machine.torch, machine.driver
    if torch is None or not torch.cuda or not driver:
        return
    needs = LEAST_DRIVER.get(next(iter(numbers(torch.cuda)), 0), ())
    in_place = (copy.version for copy in machine.libraries("libcuda"))  # of the driver's own
    if numbers(driver) >= needs or any(numbers(driver) < version for version in in_place):
        return
    knows = newest_cuda(numbers(driver)[0]) or "9.2"
    yield machine.hit(
        say("driver-older-than-cuda", driver=driver, newest=knows, cuda=torch.cuda),
        f"sudo apt install nvidia-driver-{needs[0]} # or a PyTorch built for CUDA {knows}",
        {VERSION_FILE: driver, torch.file: torch.cuda},
    )


@probes
def container_without_cards(machine: Machine) -> Hits:
    torch, given = machine.torch, machine.exists("/dev/nvidiactl")
    if machine.driver and machine.in_container and not given and torch and torch.cuda:
        yield machine.hit(
            say("container-without-gpus"),
            "docker run --gpus all ...",
            {VERSION_FILE: machine.driver, "/dev/nvidiactl": "not there"},
        )
