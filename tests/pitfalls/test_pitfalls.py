"""The battery: every claim of every unit of the catalogue. A new unit is tested by being there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

import keng.battery.chinese_claims
import keng.battery.code_claims
import keng.battery.file_claims
import keng.battery.machine_claims
import keng.battery.run_claims  # noqa: F401
from keng import pitfalls
from keng.battery.engine import CLAIMS, PROVED, Battery, Excused, battery, lacks
from keng.battery.programs import Programs
from keng.pitfalls.page import translation


@pytest.fixture(scope="session")
def every(request: pytest.FixtureRequest, programs: Programs) -> Iterator[Battery]:
    """The battery, with the programs of the units that are asked for set going."""
    whole = battery(programs)
    wanted = {
        item.callspec.params.get("name")
        for item in request.session.items
        if hasattr(item, "callspec")
    }
    for unit in whole.units:
        if unit.name in wanted:
            whole.start(unit)
    yield whole
    PROVED.extend(told(whole))


def told(whole: Battery) -> Iterator[str]:
    """What was proved, and what could not be."""
    yield f"battery: {len(whole.units)} units, {len(whole.programs.known)} programs executed"
    needs = Counter(filter(None, (lacks(unit.needs) for unit in whole.units)))
    if needs:
        lacking = ", ".join(f"{what} ({n})" for what, n in needs.items())
        yield f"battery: units whose programs need what is not here: {lacking}"
    missing = [
        unit.name for unit in whole.units if translation(pitfalls.folder(unit.name), "zh") is None
    ]
    there = len(whole.units) - len(missing)
    yield f"Chinese pages: {there} of {len(whole.units)}" + "".join(f", no {m}" for m in missing)


PAIRS = [
    (unit.name, claim)
    for unit in pitfalls.every()
    for claim, (_, applies) in CLAIMS.items()
    if applies(unit)
]


@pytest.mark.parametrize(("name", "claim"), PAIRS)
def test_pitfall(every: Battery, name: str, claim: str) -> None:
    unit = pitfalls.pitfall(name)
    failure = ""
    try:
        CLAIMS[claim][0](every, unit)
    except Excused as reason:
        pytest.skip(f"{name}: {reason}")
    except AssertionError as error:
        failure = f"{name}: {error}"
    if failure:
        pytest.fail(failure, pytrace=False)
