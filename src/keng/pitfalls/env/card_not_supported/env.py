"""The machine: the PyTorch that is installed has no code for this card."""

from __future__ import annotations

import re

from keng.env.machine import Machine
from keng.env.nvidia import runs_on
from keng.model import Hits, say
from keng.rules import probes

LISTED = "TORCH_CUDA_ARCH_LIST"


@probes
def architecture_not_built(machine: Machine) -> Hits:
    torch = machine.torch
    if torch is None or not torch.cuda or not machine.driver:
        return
    built = machine.answer("torch").split()
    for card in machine.cards_answered() if built else ():
        if runs_on(card["compute_cap"], built):
            continue
        yield machine.hit(
            say(
                "architecture-not-built",
                card=card["name"],
                capability=card["compute_cap"].replace(".", ""),
                version=torch.version,
                first=built[0],
                last=built[-1],
            ),
            "pip install --force-reinstall torch",
            {"nvidia-smi": f"{card['name']}, {card['compute_cap']}", "torch": " ".join(built)},
        )


@probes
def extensions_for_other_cards(machine: Machine) -> Hits:
    listed = machine.variable(LISTED)
    names = re.split(r"[ ;,]+", listed.strip())
    if not machine.driver or not all(
        re.fullmatch(r"\d{1,2}\.\d[af]?(\+PTX)?", name) for name in names
    ):
        return
    kinds = ((name, "compute" if name.endswith("+PTX") else "sm") for name in names)
    built = [f"{kind}_{re.sub(r'[^0-9]', '', name)}" for name, kind in kinds]
    for card in machine.cards_answered():
        if not runs_on(card["compute_cap"], built):
            yield machine.hit(
                say(
                    "extensions-for-other-gpus",
                    variable=LISTED,
                    listed=listed,
                    card=card["name"],
                    capability=card["compute_cap"],
                ),
                f"unset {LISTED}",
                {f"${LISTED}": listed, "nvidia-smi": f"{card['name']}, {card['compute_cap']}"},
            )
            return
