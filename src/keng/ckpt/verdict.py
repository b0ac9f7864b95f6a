"""Judges a file by the names that loading it would import."""

from __future__ import annotations

from keng.ckpt.names import GETATTR, judged, reaches
from keng.ckpt.verifying import outside
from keng.stored import Checkpoint, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keng.stored.kinds import Word


def judge(checkpoint: Checkpoint) -> Verdict:
    torchscript = checkpoint.format == "torchscript"
    names = dict.fromkeys([*checkpoint.imports, *(call.name for call in checkpoint.calls)])
    by_name = {name: judged(name, torchscript) for name in names}
    reached = {c.name for c in checkpoint.calls if str(c.name) == GETATTR and reaches(c.args)}
    dangerous = tuple(n for n, judged_ in by_name.items() if judged_ == "dangerous" or n in reached)
    unknown = tuple(n for n, word in by_name.items() if word == "unknown" and n not in reached)
    tricks = tuple(checkpoint.told("trick"))
    broken = (*checkpoint.broken, *outside(checkpoint))
    word: Word = "KNOWN"
    if dangerous:
        word = "DANGEROUS"
    elif broken:
        word = "BROKEN"
    elif unknown or tricks:
        word = "UNKNOWN"
    return Verdict(word, dangerous, unknown, checkpoint.calls, tricks, broken)
