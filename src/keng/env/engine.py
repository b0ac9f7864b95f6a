"""Runs probers over a machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from keng import pitfalls as catalog
from keng._util.texts import sentence
from keng.env.machine import Machine
from keng.model import Facet, Finding, Pitfall, Skipped


class Check(NamedTuple):
    """One prober, by the name of its function: what it looked at, and what it found, which is nothing
    where all is well."""

    pitfall: str
    name: str
    looked: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def verdict(self) -> str:
        if not self.findings:
            return "sound"
        return "found" if any(finding.hit.sure for finding in self.findings) else "not sure"


class Result(NamedTuple):
    checks: tuple[Check, ...]
    skipped: tuple[Skipped, ...]

    @property
    def findings(self) -> list[Finding]:
        """Errors first."""
        found = [finding for check in self.checks for finding in check.findings]
        return sorted(found, key=lambda f: ("error", "warning", "hint").index(f.severity))


def run(
    machine: Machine,
    pitfalls: Iterable[Pitfall],
    on_check: Callable[[int, int], None] = lambda done, total: None,
) -> Result:
    """Never raises: a prober that does is Skipped, as is what could not be read. `on_check` is told how
    many checks are done, and of how many."""
    checks: list[Check] = []
    skipped = (
        [] if machine.platform == "linux" else [Skipped(machine.platform, sentence("linux_only"))]
    )
    probers = [(pitfall, prober) for pitfall in pitfalls for prober in pitfall.probers]
    for done, (pitfall, prober) in enumerate(probers, 1):
        outcome = _check(machine, pitfall, prober)
        if isinstance(outcome, Skipped):
            skipped.append(outcome)
        else:
            checks.append(outcome)
        on_check(done, len(probers))
    return Result(tuple(checks), (*skipped, *_unread(machine)))


def _check(machine: Machine, pitfall: Pitfall, prober: Facet) -> Check | Skipped:
    machine.looked.clear()
    try:
        hits = list(prober(machine))
    except Exception as error:
        # A machine that the unit's author did not think of.
        rule = f"{prober.__name__}{catalog.bringing(pitfall)}"
        shown = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return Skipped(pitfall.name, sentence("rule_failed", rule=rule, error=shown))
    found = (Finding(pitfall.name, pitfall.group, pitfall.severity, hit, "machine") for hit in hits)
    name = prober.__name__.replace("_", " ")
    return Check(pitfall.name, name, tuple(machine.looked), tuple(found))


def _unread(machine: Machine) -> Iterable[Skipped]:
    """Processes of others are told once."""
    unread: dict[str, list[str]] = {}
    for path, why in machine.unread.items():
        unread.setdefault(re.sub(r"^/proc/\d+/", "/proc/*/", path), []).append(why)
    for path, whys in unread.items():
        n = len(whys)
        yield Skipped(path, sentence("n_times", why=whys[0], n=n) if n > 1 else whys[0])
