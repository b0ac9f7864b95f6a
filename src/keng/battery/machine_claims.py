"""What the probers of every unit claim: the machines of its page, and the sound ones of all pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from keng import pitfalls
from keng.battery.cases import Case
from keng.battery.engine import Battery, assert_quoted, claim, everywhere, on, quoted, where
from keng.battery.machines import built, told
from keng.env import engine
from keng.env.engine import Check
from keng.env.machine import Machine
from keng.model import Facet, Finding, Pitfall

MOST_SEEN = 300
"""Characters of one piece of evidence: a value, never a dump."""


def checks(unit: Pitfall, machine: Machine) -> tuple[Check, ...]:
    """What the probers of a unit say of a machine, in their order."""
    result = engine.run(machine, [unit])
    failed = [skipped for skipped in result.skipped if skipped.path == unit.name]
    assert not failed, failed[0].why
    return result.checks


def findings(unit: Pitfall, machine: Machine) -> list[Finding]:
    return [finding for check in checks(unit, machine) for finding in check.findings]


def machine_of(case: Case, folder: str) -> Machine:
    return built(told(case.text), Path(folder))


def each_machine(battery: Battery, unit: Pitfall, label: str) -> Iterator[tuple[Case, Machine]]:
    for case in battery.cases(unit, label):
        with TemporaryDirectory(prefix="keng-machine-") as folder:
            yield case, machine_of(case, folder)


@claim(everywhere)
def machines_show_what_is_probed(battery: Battery, unit: Pitfall) -> None:
    for label in ("Machine", "Healthy"):
        shown = bool(battery.cases(unit, label))
        assert shown == bool(unit.probers), (
            f"a prober, and no {label}" if unit.probers else f"a {label}, and no prober"
        )


@claim(everywhere)
def what_it_raises_is_explained(battery: Battery, unit: Pitfall) -> None:
    """Each name is another pitfall's that explains errors, of which this machine is a cause."""
    assert unit.probers or not unit.raises, "raises the errors of others, and has no env.py"
    for name in unit.raises:
        assert name != unit.name, name
        assert pitfalls.pitfall(name).explainers, name
    assert unit.raises == {name for name in unit.raises if unit in pitfalls.raising({name})}


@claim(on("env"))
def machine_is_found(battery: Battery, unit: Pitfall) -> None:
    """A note with "not sure" is kept to; the words in its backticks are said."""
    for case, machine in each_machine(battery, unit, "Machine"):
        found = findings(unit, machine)
        assert found, f"{where(case)} is not found:\n{case.text}"
        sure = any(finding.hit.sure for finding in found)
        assert sure != ("not sure" in case.note), (
            f"{where(case)} is {'' if sure else 'not '}sure: {found[0].hit.says}"
        )
        assert_quoted(quoted(case.note), [finding.hit.says for finding in found])


@claim(on("env"))
def sound_machines_are_silent(battery: Battery, unit: Pitfall) -> None:
    for other in battery.units if unit.probers else ():
        for case, machine in each_machine(battery, other, "Healthy"):
            for finding in findings(unit, machine):
                raise AssertionError(
                    f"{where(case)} of {other.name} is flagged: {finding.hit.says}\n{case.text}"
                )


@claim(on("env"))
def every_prober_is_earned(battery: Battery, unit: Pitfall) -> None:
    fired: set[Facet] = set()
    for _, machine in each_machine(battery, unit, "Machine"):
        said = zip(unit.probers, checks(unit, machine), strict=True)
        fired |= {prober for prober, check in said if check.findings}
    for prober in unit.probers:
        assert prober in fired, f"no Machine shows what {prober.__name__} finds"


@claim(on("env"))
def machines_are_judged_in_words(battery: Battery, unit: Pitfall) -> None:
    """What is wrong, what was seen where, and one command that mends it."""
    for case, machine in each_machine(battery, unit, "Machine"):
        for finding in findings(unit, machine):
            hit, what = finding.hit, f"{where(case)}: {finding.hit.says}"
            assert not hit.says.endswith("."), what
            assert hit.says[0].islower() or hit.says[0] in "`$/" or hit.says[0].isdigit(), what
            assert "you should" not in hit.says.lower(), what
            assert hit.evidence, f"no evidence: {what}"
            assert hit.fix, f"no command: {what}"
            assert hit.fix.title == " ".join(hit.fix.title.split()), what
            for name, value in hit.evidence.items():
                assert len(str(value)) <= MOST_SEEN, f"{name} is a dump: {what}"


@claim(on("env"))
def what_is_seen_was_looked_at(battery: Battery, unit: Pitfall) -> None:
    """Evidence names a file, a variable or a question, and that is what the engine can tell too."""
    for _, machine in each_machine(battery, unit, "Machine"):
        for check in checks(unit, machine):
            assert check.looked, "a prober that looks at nothing"
            for name in {name for finding in check.findings for name in finding.hit.evidence}:
                assert name.startswith(("/", "$")) or name in check.looked, f"what is {name}?"


def worse(value: Any) -> Iterator[Any]:
    """The same text, emptied, halved, and full of what nobody writes."""
    if isinstance(value, str):
        data = value.encode()
        yield from ("", data[: len(data) // 2], b"\x00\xff\xfe\n" + data, data * 3)
        yield "".join("9" if c.isdigit() else c for c in value).replace("9", "9" * 30)
        yield value.replace(".", " ").replace("=", "\n").replace(":", "")


@claim(on("env"))
def broken_files_break_nothing(battery: Battery, unit: Pitfall) -> None:
    """Every file of every machine, made worse in several ways: no prober raises."""
    for case in battery.cases(unit, "Machine", "Healthy"):
        table = told(case.text)
        for name, value in table.get("files", {}).items():
            for other in worse(value) if not name.endswith("/") else ():
                with TemporaryDirectory(prefix="keng-machine-") as folder:
                    files = {**table["files"], name: other}
                    checks(unit, built({**table, "files": files}, Path(folder)))
        for name, value in table.get("environment", {}).items():
            for text in (value * 3, ":,;", "-", "\u00e9\u4e2d", "9" * 40, "/"):
                with TemporaryDirectory(prefix="keng-machine-") as folder:
                    variables = {**table["environment"], name: text}
                    checks(unit, built({**table, "environment": variables}, Path(folder)))


@claim(on("env"))
def an_empty_machine_breaks_nothing(battery: Battery, unit: Pitfall) -> None:
    for platform in ("linux", "darwin", "win32"):
        with TemporaryDirectory(prefix="keng-machine-") as folder:
            machine = built({"platform": platform}, Path(folder))
            shutil.rmtree(Path(folder, "proc"))
            assert not findings(unit, machine), f"something is found on an empty {platform}"
