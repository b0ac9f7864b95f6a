"""All claims, and which of them are made of the pitfalls of a pack."""

from __future__ import annotations

from collections.abc import Iterator

# Importing them registers their claims.
from keng.battery import (  # noqa: F401
    chinese_claims,
    code_claims,
    file_claims,
    machine_claims,
    run_claims,
)
from keng.battery.engine import CLAIMS, Excused, battery
from keng.battery.programs import Programs
from keng.model import Pitfall

OF_KENG = frozenset({"has-a-page", "speaks-as-the-house-does", "sentences-are-translated"})
"""How keng itself writes."""


def tested(unit: Pitfall) -> Iterator[tuple[str, str, str]]:
    """Each claim of the pitfall of a pack: its name, "passed", "failed" or "excused", and why."""
    programs = Programs()
    whole = battery(programs)
    try:
        whole.start(unit)
        for name, (claim, applies) in CLAIMS.items():
            if name in OF_KENG or not applies(unit):
                continue
            try:
                claim(whole, unit)
            except Excused as reason:
                yield name, "excused", str(reason)
            except AssertionError as error:
                yield name, "failed", str(error)
            else:
                yield name, "passed", ""
    finally:
        programs.close()
