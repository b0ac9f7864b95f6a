"""The machine: cUDA numbers the cards otherwise than nvidia-smi."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes


@probes
def cards_of_several_kinds(machine: Machine) -> Hits:
    models = [card.model for card in machine.cards]
    ordered = machine.variable("CUDA_DEVICE_ORDER") == "PCI_BUS_ID"
    if len(set(models)) > 1 and not ordered:
        chosen = machine.variable("CUDA_VISIBLE_DEVICES")
        yield machine.hit(
            say("gpus-of-several-kinds", models=", ".join(dict.fromkeys(models))),
            "export CUDA_DEVICE_ORDER=PCI_BUS_ID",
            {card.file: card.model for card in machine.cards[:4]},
            sure=any(character.isdecimal() for character in chosen),
        )
