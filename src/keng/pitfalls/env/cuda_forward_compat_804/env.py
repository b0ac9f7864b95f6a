"""The machine: a compatibility library is found before the library of the driver."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.env.nvidia import VERSION_FILE
from keng.env.packages import numbers
from keng.model import Hits, say
from keng.rules import probes


@probes
def newer_than_the_driver(machine: Machine) -> Hits:
    driver, cards = machine.driver, machine.cards
    first = next(iter(machine.libraries("libcuda")), None)
    if not driver or first is None or first.version <= numbers(driver) or not first.by:
        return
    kinds = {card.for_data_centres for card in cards}
    if kinds == {True}:
        return  # forward compatibility is made for these
    model = next((card.model for card in cards if card.for_data_centres is False), "")
    yield machine.hit(
        say("compat-not-supported", library=first.name, driver=driver, model=model)
        if model
        else say("compat-perhaps-not-supported", library=first.name, driver=driver),
        first.off_the_way,
        {
            VERSION_FILE: driver,
            first.path: f"found by {first.by}",
            **{c.file: c.model for c in cards},
        },
        sure=bool(model),
    )
