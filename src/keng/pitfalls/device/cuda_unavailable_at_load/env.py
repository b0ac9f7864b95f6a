"""The machine: a program asks for CUDA where there is none."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, Message, say
from keng.rules import probes


@probes
def torch_for_the_cpu_beside_a_card(machine: Machine) -> Hits:
    torch, cards = machine.torch, machine.cards
    if torch is not None and cards and not torch.cuda and not torch.hip:
        yield machine.hit(
            _for_the_cpu(torch.version, cards[0].model),
            "pip install --force-reinstall torch",
            {torch.file: "cuda None", cards[0].file: cards[0].model},
        )


def _for_the_cpu(version: str, card: str) -> Message:
    if card:
        return say("cpu-build-next-to-card", version=version, card=card)
    return say("cpu-build-next-to-unnamed-card", version=version)
