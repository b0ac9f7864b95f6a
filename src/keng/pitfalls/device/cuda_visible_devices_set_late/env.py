"""The machine: cUDA_VISIBLE_DEVICES is set after CUDA has started."""

from __future__ import annotations

import re

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes

VARIABLE = "CUDA_VISIBLE_DEVICES"


NONE = ("", "-1", "none", "void", "nodevfiles")
"""What is set to have no card, often on purpose; the last by Slurm."""


@probes
def hides_all(machine: Machine) -> Hits:
    value, cards = machine.variable(VARIABLE).strip(), machine.cards
    if cards and VARIABLE in machine.environment and value.lower() in NONE:
        yield machine.hit(
            say("hides-all", variable=VARIABLE),
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
        says = say("names-missing-number", variable=VARIABLE, number=beyond, count=len(cards))
    elif known and named.startswith("GPU-") and not any(n.startswith(named) for n in names):
        says = say("names-unknown-uuid", variable=VARIABLE, named=named)
    elif unread and not unread[0].strip().startswith(("GPU-", "MIG-")):
        says = say("names-no-number", variable=VARIABLE, named=unread[0].strip())
    else:
        return
    yield machine.hit(
        says,
        f"unset {VARIABLE}",
        {f"${VARIABLE}": value, cards[0].file: f"{len(cards)} cards"},
    )


@probes
def names_one_for_two(machine: Machine) -> Hits:
    value, cards, read = machine.variable(VARIABLE), machine.cards, machine.cards_named
    joined = re.search(r"(\d+) +\d", value)
    if joined:
        says = say("comma-missing", variable=VARIABLE, number=joined[1])
    elif len(set(read)) < len(read):
        says = say("named-twice", variable=VARIABLE)
    else:
        return
    if cards:
        seen = {f"${VARIABLE}": value, cards[0].file: f"{len(cards)} cards"}
        yield machine.hit(says, f"unset {VARIABLE}", seen)
