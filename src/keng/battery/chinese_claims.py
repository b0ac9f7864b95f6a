"""What every unit claims of its sentences in Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keng.battery.engine import Battery, claim, everywhere, fixes_in, said
from keng.battery.machine_claims import each_machine, findings
from keng.model import Pitfall
from keng.pitfalls.index import index
from keng.report.translation import HOLE, message_in

CHINESE = re.compile("[\u4e00-\u9fff]")


def sentences(battery: Battery, unit: Pitfall) -> Iterator[str]:
    """All that is said of a unit's programs, messages and machines."""
    for bad in battery.cases(unit, "Bad"):
        found = battery.findings(bad.text, unit)
        yield from (f.hit.says for f in found)
        yield from (fix.title for fix in fixes_in(found))
        yield from (name for f in found for name in f.hit.evidence)
        yield from said(battery, unit, bad)
    for message in battery.cases(unit, "Message"):
        outcome = battery.programs.outcome(battery.program(message))
        yield from (each.says for each in outcome.by_text if each.pitfall == unit.name)
    for _, machine in each_machine(battery, unit, "Machine"):
        yield from (finding.hit.says for finding in findings(unit, machine))


@claim(everywhere)
def sentences_are_translated(battery: Battery, unit: Pitfall) -> None:
    """In text.toml, or by the title of the page where that is all that is said."""
    for text in index().details(unit.name)["texts"].values():
        assert set(HOLE.findall(text["zh"])) <= set(HOLE.findall(text["en"])), (
            f"another hole in {text}"
        )
    for text in sentences(battery, unit):
        assert CHINESE.search(message_in("zh", unit.name, text)), (
            f"no translation in text.toml of: {text}"
        )
