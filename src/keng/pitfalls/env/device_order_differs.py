r"""CUDA numbers the cards otherwise than nvidia-smi.

CUDA counts from the fastest card on, nvidia-smi and the system by the place on the bus. Where the cards are of
several kinds, `cuda:0` or `CUDA_VISIBLE_DEVICES=0` is then not the card that nvidia-smi calls 0: a program runs on
the card that another one uses, or on one with too little memory.

Cure: `export CUDA_DEVICE_ORDER=PCI_BUS_ID`, which makes both count alike.

Machine (`NVIDIA T400 4GB and NVIDIA RTX A6000`, chosen by number):

```toml
[environment]
CUDA_VISIBLE_DEVICES = "0"
[files]
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA T400 4GB\nDevice Minor: \t 0\n"
"/dev/nvidia0" = ""
"/proc/driver/nvidia/gpus/0000:02:00.0/information" = "Model: \t\t NVIDIA RTX A6000\nDevice Minor: \t 1\n"
"/dev/nvidia1" = ""
```

Machine (not sure: nobody chooses by number):

```toml
[files]
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA T400 4GB\nDevice Minor: \t 0\n"
"/dev/nvidia0" = ""
"/proc/driver/nvidia/gpus/0000:02:00.0/information" = "Model: \t\t NVIDIA RTX A6000\nDevice Minor: \t 1\n"
"/dev/nvidia1" = ""
```

Sound (cards of one kind):

```toml
[environment]
CUDA_VISIBLE_DEVICES = "1"
[files]
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA RTX A6000\nDevice Minor: \t 0\n"
"/dev/nvidia0" = ""
"/proc/driver/nvidia/gpus/0000:02:00.0/information" = "Model: \t\t NVIDIA RTX A6000\nDevice Minor: \t 1\n"
"/dev/nvidia1" = ""
```

Sound (the order is said):

```toml
[environment]
CUDA_DEVICE_ORDER = "PCI_BUS_ID"
CUDA_VISIBLE_DEVICES = "0"
[files]
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA T400 4GB\nDevice Minor: \t 0\n"
"/dev/nvidia0" = ""
"/proc/driver/nvidia/gpus/0000:02:00.0/information" = "Model: \t\t NVIDIA RTX A6000\nDevice Minor: \t 1\n"
"/dev/nvidia1" = ""
```
"""

from keng.env.machine import Machine
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.probes
def cards_of_several_kinds(machine: Machine) -> Hits:
    models = [card.model for card in machine.cards]
    ordered = machine.variable("CUDA_DEVICE_ORDER") == "PCI_BUS_ID"
    if len(set(models)) > 1 and not ordered:
        chosen = machine.variable("CUDA_VISIBLE_DEVICES")
        yield machine.hit(
            f"the cards are {' and '.join(dict.fromkeys(models))}: CUDA calls the fastest 0, nvidia-smi the "
            "first on the bus",
            "export CUDA_DEVICE_ORDER=PCI_BUS_ID",
            {card.file: card.model for card in machine.cards[:4]},
            sure=any(character.isdecimal() for character in chosen),
        )
