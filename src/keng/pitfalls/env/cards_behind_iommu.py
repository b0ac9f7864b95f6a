r"""What cards send each other goes through the IOMMU.

Where the machine's IOMMU translates addresses, packets from card to card take the way up to the processor and back,
if they arrive at all: NCCL is slow, hangs in its first collective, or gives wrong sums. Cards that NVLink joins do
not care. In a virtual machine the IOMMU must stay; there the host gives the cards away with what they need.

Cure: pass-through, `iommu=pt` on the kernel's command line, or the IOMMU (VT-d, AMD-Vi) off in the BIOS;
`NCCL_P2P_DISABLE=1` shows whether it is the cause.

Machine (not sure, for NVLink may join them: `2 cards send each other`):

```toml
[files]
"/sys/bus/pci/devices/0000:3b:00.0/vendor" = "0x10de"
"/sys/bus/pci/devices/0000:3b:00.0/class" = "0x030200"
"/sys/bus/pci/devices/0000:3b:00.0/iommu_group/type" = "DMA-FQ\n"
"/sys/bus/pci/devices/0000:86:00.0/vendor" = "0x10de"
"/sys/bus/pci/devices/0000:86:00.0/class" = "0x030200"
"/sys/bus/pci/devices/0000:86:00.0/iommu_group/type" = "DMA\n"
```

Sound (passed through; one card alone is translated):

```toml
[files]
"/sys/bus/pci/devices/0000:3b:00.0/vendor" = "0x10de"
"/sys/bus/pci/devices/0000:3b:00.0/class" = "0x030200"
"/sys/bus/pci/devices/0000:3b:00.0/iommu_group/type" = "identity\n"
"/sys/bus/pci/devices/0000:86:00.0/vendor" = "0x10de"
"/sys/bus/pci/devices/0000:86:00.0/class" = "0x030200"
"/sys/bus/pci/devices/0000:86:00.0/iommu_group/type" = "DMA\n"
```
"""

from keng.env.machine import Machine
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint")


@pitfall.probes
def addresses_are_translated(machine: Machine) -> Hits:
    files = [f"{card}/iommu_group/type" for card in machine.cards_on_the_bus]
    seen = {file: kind for file in files if (kind := machine.read(file)).startswith("DMA")}
    if len(seen) > 1:
        yield machine.hit(
            f"{len(seen)} cards send each other everything through the IOMMU, unless NVLink joins them",
            "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&iommu=pt /' /etc/default/grub && sudo update-grub",
            dict(list(seen.items())[:2]),
            sure=False,
        )
