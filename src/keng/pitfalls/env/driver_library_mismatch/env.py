"""The machine: the driver's library is of another version than its kernel module."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.env.nvidia import VERSION_FILE
from keng.env.packages import numbers
from keng.model import Hits, say
from keng.rules import probes

DRIVER = "libcuda.so.1"
"""The name by which programs ask for the driver's library."""


WINDOWS = "/usr/lib/wsl/lib/libcuda.so.1"


@probes
def library_of_another_version(machine: Machine) -> Hits:
    driver = machine.driver
    usual = [copy for copy in machine.libraries("libcuda") if "compat" not in copy.folder]
    versions = {copy.version for copy in usual if len(copy.version) > 1}
    if driver and versions and numbers(driver) not in versions:
        copy = next(copy for copy in usual if len(copy.version) > 1)
        version = copy.name.partition(".so.")[2]
        yield machine.hit(
            say("library-of-another-version", library=version, driver=driver),
            "sudo reboot",
            {copy.path: version, VERSION_FILE: driver},
        )


@probes
def linux_driver_under_windows(machine: Machine) -> Hits:
    copy = next((copy for copy in machine.libraries("libcuda") if copy.version), None)
    if (
        machine.exists(WINDOWS)
        and not machine.driver
        and copy is not None
        and "wsl" not in copy.path
    ):
        yield machine.hit(
            say("linux-driver-under-windows", library=copy.path),
            "sudo apt remove --purge 'libnvidia-compute-*' 'nvidia-driver-*'",
            {copy.path: copy.by or "on the loader's way", WINDOWS: "the driver of Windows"},
            sure=len(copy.version) > 1,
        )


@probes
def stub_in_front(machine: Machine) -> Hits:
    copy = next(
        (c for c in machine.libraries("libcuda") if machine.exists(f"{c.searched}/{DRIVER}")), None
    )
    if copy is not None and copy.searched.endswith("/stubs"):
        yield machine.hit(
            say("stub-in-front", path=f"{copy.searched}/{DRIVER}"),
            copy.off_the_way,
            {f"{copy.searched}/{DRIVER}": copy.by, VERSION_FILE: machine.driver or "not there"},
        )
