"""Writes src/keng/tables/message_evidence.names, how often each message was right on the reports of evals/explain, and
raise_places.names, where the errors of a pitfall were raised on these, on recorded messages and by its bad programs.

Usage: python tools/message_evidence.py

Sets that nothing was tuned on are left out: tests/explain/test_calibration.py measures the promise on them.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import tomllib

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from evals.sets import sets_of  # noqa: E402
from evals.surfaces import explain  # noqa: E402
from keng.battery.engine import battery, lacks  # noqa: E402
from keng.battery.programs import Programs  # noqa: E402
from keng.explain.engine import explain_text  # noqa: E402
from keng.model import Message  # noqa: E402
from keng.tables.raise_places import FEWEST, place_of  # noqa: E402

TABLES = ROOT / "src" / "keng" / "tables"
OUT = TABLES / "message_evidence.names"
PLACES = TABLES / "raise_places.names"
PLACES_HEAD = "# pitfall | files of torch and packages that raised it, by tools/message_evidence.py"
HEAD = "# pitfall message | reports on which it was right | wrong, by tools/message_evidence.py"


def main() -> None:
    write_evidence()
    write_places()


def write_evidence() -> None:
    right, wrong = Counter[str](), Counter[str]()
    for key, fits in _first_messages():
        (right if fits else wrong)[key] += 1
    rows = [f"{key}|{right[key]}|{wrong[key]}" for key in sorted({*right, *wrong})]
    OUT.write_text("\n".join([HEAD, *rows]) + "\n", "utf-8")


def write_places() -> None:
    places = [f"{name}|{' '.join(sorted(homes))}" for name, homes in sorted(_homes().items())]
    PLACES.write_text("\n".join([PLACES_HEAD, *places]) + "\n", "utf-8")


def _homes() -> dict[str, set[str]]:
    """The places of the pitfalls that enough different reports and recorded messages were raised by a library for."""
    found = defaultdict[str, list[str]](list)
    for text, right in {*_reports(), *_recorded()}:
        explanation = explain_text(text, source=False)
        first = explanation.diagnoses[0].pitfall if explanation.diagnoses else ""
        home = place_of(explanation.raised.path) if explanation.raised is not None else ""
        if home and first in right:
            found[first].append(home)
    known = {name: set(homes) for name, homes in found.items() if len(homes) >= FEWEST}
    for name, text in _raised_by_cases():
        raised = explain_text(text, source=False).raised
        if name in known and raised is not None and (home := place_of(raised.path)):
            known[name].add(home)
    return known


def _reports() -> Iterator[tuple[str, tuple[str, ...]]]:
    for chosen in sets_of("explain"):
        for task in explain.tasks(chosen):
            yield task.report["text"], tuple(task.report["units"])


def _recorded() -> Iterator[tuple[str, tuple[str, ...]]]:
    for file in (ROOT / "src" / "keng" / "pitfalls").glob("*/*/messages.toml"):
        name = file.parent.name.replace("_", "-")
        for each in tomllib.loads(file.read_text("utf-8")).get("recorded", ()):
            yield each["text"], (name,)


def _raised_by_cases() -> Iterator[tuple[str, str]]:
    """The tracebacks of the bad programs of each pitfall, which are executed."""
    programs = Programs()
    real = battery(programs)
    for unit in real.units:
        for bad in real.cases(unit, "Bad"):
            if unit.explainers and not lacks(bad.needs):
                raised = programs.outcome(real.bad(unit, bad)).raised
                if raised:
                    yield unit.name, raised
    programs.close()


def _first_messages() -> Iterator[tuple[str, bool]]:
    """Of each report the message that is printed first, and whether it is an accepted one."""
    for chosen in sets_of("explain"):
        if str(chosen.manifest.get("state", "")).startswith("not tuned on"):
            continue
        for task in explain.tasks(chosen):
            for first in explain_text(task.report["text"], source=False).diagnoses[:1]:
                says = first.hit.says
                id = says.id if isinstance(says, Message) else ""
                yield f"{first.pitfall} {id}".strip(), first.pitfall in task.report["units"]


if __name__ == "__main__":
    main()
