"""The machine: cUDA cannot start, and does not say why."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.env.nvidia import VERSION_FILE
from keng.model import Hits, say
from keng.rules import probes

DEVICES = ("/dev/nvidiactl", "/dev/nvidia-uvm")


READ_WRITE_ALL = 0o006


GROUP_WRITES = 0o020


@probes
def device_file_missing(machine: Machine) -> Hits:
    """`nvidia-modprobe` belongs to root and makes the file for whoever starts CUDA first."""
    control, uvm = (machine.exists(device) for device in DEVICES)
    if machine.driver and control and not uvm and not machine.exists("/usr/bin/nvidia-modprobe"):
        yield machine.hit(
            say("uvm-missing"),
            "sudo modprobe nvidia-uvm && sudo mknod -m 666 /dev/nvidia-uvm c "
            "$(grep nvidia-uvm /proc/devices | cut -d' ' -f1) 0",
            {VERSION_FILE: machine.driver, "/dev/nvidia-uvm": "not there"},
        )


@probes
def device_file_forbidden(machine: Machine) -> Hits:
    for device in DEVICES if machine.driver and machine.user else ():
        status = machine.status(device)
        if status is None or status.st_uid == machine.user:
            continue
        if status.st_mode & READ_WRITE_ALL != READ_WRITE_ALL and not status.st_mode & GROUP_WRITES:
            yield machine.hit(
                say("device-file-forbidden", device=device),
                f"sudo chmod 666 {device}",
                {device: f"mode {status.st_mode & 0o777:o}"},
            )
