"""Shows a checkpoint to the units that inspect one."""

from __future__ import annotations

from collections.abc import Iterable

from keng.model import Blind, Finding, Pitfall
from keng.stored import Checkpoint


def inspect(
    checkpoint: Checkpoint, pitfalls: Iterable[Pitfall], suspicious: bool = False
) -> tuple[list[Finding], list[Blind]]:
    """What the units see in the file, and those that could not look."""
    findings: list[Finding] = []
    blind: list[Blind] = []
    for pitfall in pitfalls:
        for inspector in pitfall.inspectors:
            try:
                hits = [hit for hit in inspector(checkpoint) if hit.sure or suspicious]
            except Exception as error:
                says = f"{inspector.__name__} raised {type(error).__name__}: {error}"
                blind.append(Blind(checkpoint.path, says))
                continue
            findings += [
                Finding(pitfall.name, pitfall.group, pitfall.severity, hit, "file") for hit in hits
            ]
    return findings, blind
