"""What every unit claims of its sentences in Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from battery import Battery, Excused, claim, fixes_in, said
from battery_machines import each_machine, findings
from keng.model import Pitfall
from keng.pitfalls.page import translation
from keng.report.translation import HOLE, said_in

CHINESE = re.compile("[\u4e00-\u9fff]")


def sentences(battery: Battery, unit: Pitfall) -> Iterator[str]:
    """All that is said of a unit's programs, messages and machines."""
    for bad in battery.blocks(unit, "Bad"):
        found = battery.findings(bad.text, unit)
        yield from (f.hit.says for f in found)
        yield from (fix.title for fix in fixes_in(found))
        yield from (name for f in found for name in f.hit.evidence)
        yield from said(battery, unit, bad)
    for message in battery.blocks(unit, "Message"):
        outcome = battery.programs.outcome(battery.program(message))
        yield from (each.says for each in outcome.by_text if each.pitfall == unit.name)
    for _, machine in each_machine(battery, unit, "Machine"):
        yield from (finding.hit.says for finding in findings(unit, machine))


@claim
def sentences_are_translated(battery: Battery, unit: Pitfall) -> None:
    """Below the Chinese page, after the line `说法：`, or by its title where that is all that is said."""
    there = translation(unit.group, unit.name, "zh")
    if there is None:
        raise Excused("no translation")
    for text, other in there.said.items():
        assert set(HOLE.findall(other)) <= set(HOLE.findall(text)), f"a hole that is not in: {text}"
    for text in sentences(battery, unit):
        assert CHINESE.search(said_in("zh", unit.name, text)), (
            f"no translation below the page of: {text}"
        )
