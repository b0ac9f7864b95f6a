"""The machine: there is a card of NVIDIA's, and its driver is not loaded."""

from __future__ import annotations

import re

from keng.env.machine import Machine
from keng.env.nvidia import VERSION_FILE
from keng.model import Hits, say
from keng.rules import probes

FORBID = "echo 'blacklist nouveau' | sudo tee /etc/modprobe.d/no-nouveau.conf"


@probes
def card_without_driver(machine: Machine) -> Hits:
    cards, torch = machine.cards_on_the_bus, machine.torch
    if not cards or machine.driver or torch is None or not torch.cuda:
        return
    seen = {f"{cards[0]}/vendor": "0x10de", VERSION_FILE: "not there"}
    kernel = machine.read("/proc/sys/kernel/osrelease").strip()
    index = f"/lib/modules/{kernel}/modules.dep"
    modules = machine.read(index)
    if re.search(r"^nouveau ", machine.read("/proc/modules"), re.M):
        yield machine.hit(
            say("nouveau-holds-card-so"),
            f"{FORBID} && sudo update-initramfs -u && sudo reboot",
            {**seen, "/proc/modules": "nouveau"},
        )
    elif modules and "/nvidia.ko" not in modules:
        yield machine.hit(
            say("there-card-no-nvidia-2", kernel=kernel),
            "sudo apt install linux-headers-$(uname -r) && sudo dkms autoinstall # or install the driver again",
            {**seen, index: "no nvidia.ko"},
        )
    else:
        yield machine.hit(
            say("there-card-no-nvidia"),
            "sudo modprobe nvidia",
            seen,
        )
