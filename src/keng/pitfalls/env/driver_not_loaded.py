r"""There is a card of NVIDIA's, and its driver is not loaded.

The driver is a module of the kernel, built for one version of it. After an update of the kernel the module may be missing for
the new one; where `nouveau`, the free driver, has taken the card first, NVIDIA's cannot have it until the machine starts again without
`nouveau`. The driver's programs and libraries are there all the same, and PyTorch sees no card.

Cure: build the module for the kernel that runs (`sudo dkms autoinstall`, with its headers installed), or forbid
`nouveau` and start the machine again; a module that is there is loaded with `sudo modprobe nvidia`.

Machine (a card without a driver: `no NVIDIA driver is loaded`):

```toml
[files]
"/sys/bus/pci/devices/0000:01:00.0/vendor" = "0x10de\n"
"/sys/bus/pci/devices/0000:01:00.0/class" = "0x030000\n"
"/proc/sys/kernel/osrelease" = "6.8.0-64-generic\n"
"/lib/modules/6.8.0-64-generic/modules.dep" = "updates/dkms/nvidia.ko.zst:\n"
"/env/site-packages/torch/version.py" = "__version__ = '2.13.0+cu130'\ncuda: Optional[str] = '13.0'\n"
```

Machine (its rival came first: `nouveau holds the card`):

```toml
[files]
"/sys/bus/pci/devices/0000:01:00.0/vendor" = "0x10de\n"
"/sys/bus/pci/devices/0000:01:00.0/class" = "0x030000\n"
"/proc/modules" = "nouveau 2306048 4 - Live 0x0000000000000000\n"
"/env/site-packages/torch/version.py" = "__version__ = '2.13.0+cu130'\ncuda: Optional[str] = '13.0'\n"
```

Machine (the kernel was updated, its driver was not: `for the kernel that runs, 6.8.0-64-generic`):

```toml
[files]
"/sys/bus/pci/devices/0000:01:00.0/vendor" = "0x10de\n"
"/sys/bus/pci/devices/0000:01:00.0/class" = "0x030000\n"
"/proc/sys/kernel/osrelease" = "6.8.0-64-generic\n"
"/proc/modules" = "ext4 1024000 1 - Live 0x0000000000000000\n"
"/lib/modules/6.8.0-64-generic/modules.dep" = "kernel/fs/ext4/ext4.ko.zst: kernel/fs/jbd2/jbd2.ko.zst\n"
"/env/site-packages/torch/version.py" = "__version__ = '2.13.0+cu130'\ncuda: Optional[str] = '13.0'\n"
```

Sound (a card of another maker, one that only sounds, one for a virtual machine):

```toml
[files]
"/sys/bus/pci/devices/0000:00:02.0/vendor" = "0x8086\n"
"/sys/bus/pci/devices/0000:00:02.0/class" = "0x030000\n"
"/sys/bus/pci/devices/0000:01:00.1/vendor" = "0x10de\n"
"/sys/bus/pci/devices/0000:01:00.1/class" = "0x040300\n"
"/sys/bus/pci/devices/0000:41:00.0/vendor" = "0x10de\n"
"/sys/bus/pci/devices/0000:41:00.0/class" = "0x030200\n"
"/sys/bus/pci/devices/0000:41:00.0/driver" = { link = "../../bus/pci/drivers/vfio-pci" }
"/env/site-packages/torch/version.py" = "__version__ = '2.13.0+cu130'\ncuda: Optional[str] = '13.0'\n"
```

Sound (the driver runs):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Release Build"
"/dev/nvidiactl" = ""
"/dev/nvidia-uvm" = ""
"/sys/bus/pci/devices/0000:01:00.0/vendor" = "0x10de\n"
"/sys/bus/pci/devices/0000:01:00.0/class" = "0x030200\n"
"/env/site-packages/torch/version.py" = "__version__ = '2.13.0+cu130'\ncuda: Optional[str] = '13.0'\n"
```
"""

import re

from keng.env.machine import Machine
from keng.env.nvidia import VERSION_FILE
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.breaks("no-nvidia-driver", "map-location-missing", "cuda-unknown-error")

FORBID = "echo 'blacklist nouveau' | sudo tee /etc/modprobe.d/no-nouveau.conf"


@pitfall.probes
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
            "nouveau holds the card, so that NVIDIA's driver cannot: PyTorch runs on the CPU alone",
            f"{FORBID} && sudo update-initramfs -u && sudo reboot",
            {**seen, "/proc/modules": "nouveau"},
        )
    elif modules and "/nvidia.ko" not in modules:
        yield machine.hit(
            f"there is a card, and no NVIDIA driver for the kernel that runs, {kernel}: PyTorch runs on the CPU "
            "alone",
            "sudo apt install linux-headers-$(uname -r) && sudo dkms autoinstall # or install the driver again",
            {**seen, index: "no nvidia.ko"},
        )
    else:
        yield machine.hit(
            "there is a card, and no NVIDIA driver is loaded: PyTorch runs on the CPU alone",
            "sudo modprobe nvidia",
            seen,
        )
