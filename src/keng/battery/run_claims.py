"""What the programs of every unit claim when they are executed, and the texts of its errors."""

from __future__ import annotations

from keng.battery.engine import RANKS, Battery, Excused, claim, lacks, on, where, with_cases
from keng.battery.programs import Named
from keng.model import Pitfall


@claim(with_cases("Bad"))
def bad_misbehaves(battery: Battery, unit: Pitfall) -> None:
    for bad in battery.runnable(unit, "Bad"):
        outcome = battery.run_bad(unit, bad)
        assert not outcome.skipped, f"{where(bad)} blinds a watcher: {outcome.skipped[0]}"
        proof = bad.proof
        assert not proof or not outcome.proof, f"the proof of {where(bad)} fails:\n{outcome.proof}"
        seen = any(each.pitfall == unit.name for each in outcome.found)
        if outcome.raised and not (seen and RANKS.search(bad.note)):
            assert_explained(unit, outcome.by_text, f"{where(bad)} as text", outcome.raised)
            assert_explained(unit, outcome.alive, f"{where(bad)} alive", outcome.raised)
        else:
            assert seen or proof, (
                f"{where(bad)} raises nothing, no watcher sees it, nothing proves it:\n{bad.text}"
            )


def assert_explained(unit: Pitfall, named: tuple[Named, ...], what: str, text: str) -> None:
    first = named[0].pitfall if named else "not known"
    assert first == unit.name, f"{what} is explained as {first}:\n{text}"


@claim(with_cases("Bad"))
def line_is_named(battery: Battery, unit: Pitfall) -> None:
    for bad in battery.runnable(unit, "Bad"):
        lines = bad.marks("run") or bad.marks("check")
        outcome = battery.run_bad(unit, bad)
        named = [each for each in outcome.found if each.pitfall == unit.name]
        named += [*outcome.by_text[:1], *outcome.alive[:1]]
        for each in named if lines else ():
            assert each.line in lines, (
                f"{where(bad)} is seen at line {each.line}, not at {lines}: {each.says}\n{bad.text}"
            )


@claim(with_cases("Good", "Fine"))
def innocent_run_clean(battery: Battery, unit: Pitfall) -> None:
    for case in battery.runnable(unit, "Good", "Fine"):
        outcome = battery.outcome(case, battery.program(case))
        assert not outcome.raised, f"{where(case)} raises:\n{outcome.raised}"
        assert not outcome.skipped, f"{where(case)} blinds a watcher: {outcome.skipped[0]}"
        for each in outcome.found:
            raise AssertionError(
                f"{where(case)} is seen by {each.pitfall} at line {each.line}: {each.says}\n"
                f"{case.text}"
            )


@claim(with_cases("Good"))
def good_is_up_to_date(battery: Battery, unit: Pitfall) -> None:
    for good in battery.runnable(unit, "Good"):
        outcome = battery.outcome(good, battery.program(good))
        assert not outcome.warned, f"Good uses what is going away: {outcome.warned[0]}"


@claim(on("run"))
def every_run_rule_is_earned(battery: Battery, unit: Pitfall) -> None:
    fired = {
        name for bad in battery.runnable(unit, "Bad") for name in battery.run_bad(unit, bad).fired
    }
    rules = unit.rules("run")
    names = [rule.__name__ if isinstance(rule, type) else rule.function.__name__ for rule in rules]
    for rule, name in zip(rules, names, strict=True):
        if not rule.needs:
            assert f"{unit.name}.{name}" in fired, f"no Bad shows what {name} sees"
    lacking = [
        f"{n} needs {rule.needs}" for n, rule in zip(names, rules, strict=True) if rule.needs
    ]
    if lacking:
        raise Excused(", ".join(lacking))


@claim(on("ranks"))
def every_comparer_is_earned(battery: Battery, unit: Pitfall) -> None:
    several = [bad for bad in battery.runnable(unit, "Bad") if RANKS.search(bad.note)]
    fired = {name for bad in several for name in battery.run_bad(unit, bad).fired}
    for comparer in unit.comparers:
        name = comparer.__name__
        assert f"{unit.name}.{name}" in fired, f"no Bad of several ranks shows what {name} sees"


@claim(with_cases("Message"))
def messages_are_explained(battery: Battery, unit: Pitfall) -> None:
    for message in battery.cases(unit, "Message"):
        outcome = battery.programs.outcome(battery.program(message))
        assert not outcome.died, outcome.died
        assert_explained(unit, outcome.by_text, where(message), message.text)


@claim(on("explain"))
def every_pattern_is_earned(battery: Battery, unit: Pitfall) -> None:
    texts = [message.text for message in battery.cases(unit, "Message")]
    runnable = [bad for bad in battery.cases(unit, "Bad") if not lacks(bad.needs)]
    texts += [battery.run_bad(unit, bad).raised for bad in runnable]
    for explainer in unit.explainers:
        assert any(explainer.pattern.search(text) for text in texts), (
            f"no Bad and no Message earns {explainer.pattern.pattern!r}"
        )
