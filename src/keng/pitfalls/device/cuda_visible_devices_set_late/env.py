"""The machine: cUDA_VISIBLE_DEVICES is set after CUDA has started."""

from __future__ import annotations

import re

from keng.env.machine import Machine
from keng.model import Hits
from keng.rules import probes

VARIABLE = "CUDA_VISIBLE_DEVICES"


NONE = ("", "-1", "none", "void", "nodevfiles")
"""What is set to have no card, often on purpose; the last by Slurm."""


@probes
def hides_all(machine: Machine) -> Hits:
    value, cards = machine.variable(VARIABLE).strip(), machine.cards
    if cards and VARIABLE in machine.environment and value.lower() in NONE:
        yield machine.hit(
            f"`{VARIABLE}` hides all cards: each is hidden from PyTorch",
            f"unset {VARIABLE}",
            {f"${VARIABLE}": value or "empty", cards[0].file: f"{len(cards)} cards"},
            sure=False,
        )


@probes
def names_what_is_not_there(machine: Machine) -> Hits:
    value, cards, read = machine.variable(VARIABLE), machine.cards, machine.cards_named
    unread = value.split(",")[len(read) :][:1]
    beyond = next((number for number in read if number >= len(cards)), None)
    if not cards or value.strip().lower() in NONE:
        return
    named, names = value.split(",")[0].strip(), [card.name for card in cards]
    known = all(re.fullmatch(r"GPU-[0-9a-f-]{36}", name) for name in names)
    if beyond is not None:
        says = f"names card {beyond}, and there are {len(cards)}, from 0"
    elif known and named.startswith("GPU-") and not any(n.startswith(named) for n in names):
        says = f"has `{named}`, which is the name of no card here"
    elif unread and not unread[0].strip().startswith(("GPU-", "MIG-")):
        says = f"has `{unread[0].strip()}`, which is no number"
    else:
        return
    yield machine.hit(
        f"`{VARIABLE}` {says}: it and all after it are hidden from PyTorch",
        f"unset {VARIABLE}",
        {f"${VARIABLE}": value, cards[0].file: f"{len(cards)} cards"},
    )


@probes
def names_one_for_two(machine: Machine) -> Hits:
    value, cards, read = machine.variable(VARIABLE), machine.cards, machine.cards_named
    joined = re.search(r"(\d+) +\d", value)
    if joined:
        says = f"has no comma after {joined[1]}: CUDA reads that number, and the next are hidden"
    elif len(set(read)) < len(read):
        says = "names a card twice: CUDA then shows none"
    else:
        return
    if cards:
        seen = {f"${VARIABLE}": value, cards[0].file: f"{len(cards)} cards"}
        yield machine.hit(f"`{VARIABLE}` {says}", f"unset {VARIABLE}", seen)
