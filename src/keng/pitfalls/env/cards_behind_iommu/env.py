"""The machine: what cards send each other goes through the IOMMU."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes


@probes
def addresses_are_translated(machine: Machine) -> Hits:
    files = [f"{card}/iommu_group/type" for card in machine.cards_on_the_bus]
    seen = {file: kind for file in files if (kind := machine.read(file)).startswith("DMA")}
    if len(seen) > 1:
        yield machine.hit(
            say("cards-send-each-other", n=len(seen)),
            "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&iommu=pt /' /etc/default/grub && sudo update-grub",
            dict(list(seen.items())[:2]),
            sure=False,
        )
