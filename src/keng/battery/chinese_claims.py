"""What every unit claims of its sentences in Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keng.battery.engine import Battery, claim, everywhere, fixes_in, said
from keng.battery.machine_claims import each_machine, findings
from keng.model import Pitfall
from keng.pitfalls.index import index
from keng.pitfalls.texts import spoken
from keng.report.translation import label

CHINESE = re.compile("[\u4e00-\u9fff]")
HOLE = re.compile(r"\{([a-z_]+)\}")


def sentences(battery: Battery, unit: Pitfall) -> Iterator[str]:
    """All that is said of a unit's programs, messages and machines."""
    for bad in battery.cases(unit, "Bad"):
        found = battery.findings(bad.text, unit)
        yield from (f.hit.says for f in found)
        yield from (fix.title for fix in fixes_in(found))
        yield from said(battery, unit, bad)
    for message in battery.cases(unit, "Message"):
        outcome = battery.programs.outcome(battery.program(message))
        yield from (each.says for each in outcome.by_text if each.pitfall == unit.name)
    for _, machine in each_machine(battery, unit, "Machine"):
        yield from (finding.hit.says for finding in findings(unit, machine))


@claim(everywhere)
def sentences_are_translated(battery: Battery, unit: Pitfall) -> None:
    """Each has the id of a text, or is the title of the page; values of the evidence have names."""
    for text in index().details(unit.name)["texts"].values():
        assert set(HOLE.findall(text["zh"])) <= set(HOLE.findall(text["en"])), (
            f"another hole in {text}"
        )
    for text in sentences(battery, unit):
        known = text == unit.headline or CHINESE.search(spoken(text, "zh"))
        assert known, f"no text of text.toml: {text}"
    for bad in battery.cases(unit, "Bad"):
        for name in (name for f in battery.findings(bad.text, unit) for name in f.hit.evidence):
            assert CHINESE.search(label(unit.name, name, "zh")), f"no text for the value {name}"
