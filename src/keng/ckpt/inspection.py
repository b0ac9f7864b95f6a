"""Shows a checkpoint to the units that inspect what it has."""

from __future__ import annotations

from collections.abc import Iterable

from keng._util.texts import sentence
from keng.ckpt.checkpoint import Checkpoint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keng.model import Finding, Pitfall, Skipped
    from keng.pitfalls.index import Meta


def units(checkpoint: Checkpoint, suspicious: bool = False) -> list[Pitfall]:
    """Those that have something to look at; the others are not even imported, and where there is
    nothing to be looked at, nor is the list of them read."""
    if not (suspicious or checkpoint.noticed):
        return []
    from keng import pitfalls

    def wanted(meta: Meta) -> bool:
        return any(getattr(checkpoint, fact) and (sure or suspicious) for fact, sure in meta.facts)

    return list(pitfalls.having("ckpt", wanted))


def inspect(
    checkpoint: Checkpoint, pitfalls: Iterable[Pitfall], suspicious: bool = False
) -> tuple[list[Finding], list[Skipped]]:
    """What the units see in the file, and those that could not look."""
    findings: list[Finding] = []
    skipped: list[Skipped] = []
    for pitfall in pitfalls:
        _ask(pitfall, checkpoint, suspicious, findings, skipped)
    return findings, skipped


def _ask(
    pitfall: Pitfall,
    checkpoint: Checkpoint,
    suspicious: bool,
    findings: list[Finding],
    skipped: list[Skipped],
) -> None:
    # Late: most files have nothing to be asked about.
    from keng.model import Finding, Skipped
    from keng.pitfalls import bringing

    for inspector in pitfall.inspectors:
        if not getattr(checkpoint, inspector.fact):
            continue
        try:
            hits = [hit for hit in inspector.function(checkpoint) if hit.sure or suspicious]
        except Exception as error:
            rule = f"{pitfall.name}.{inspector.function.__name__}{bringing(pitfall)}"
            why = sentence("rule_failed", rule=rule, error=f"{type(error).__name__}: {error}")
            skipped.append(Skipped(checkpoint.path, why))
            continue
        findings += [
            Finding(pitfall.name, pitfall.group, pitfall.severity, hit, "file") for hit in hits
        ]
