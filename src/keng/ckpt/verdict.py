"""Judges a file by the names that loading it would import."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint, Verdict
from keng.ckpt.describe import called
from keng.ckpt.nodes import Global
from keng.ckpt.pickle.names import GETATTR, LOADER, Judged, judged, reaches
from keng.ckpt.verify import outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keng.ckpt.aliases import Word


def judge(checkpoint: Checkpoint) -> Verdict:
    by_name = _judged(checkpoint)
    dangerous = tuple(name for name, word in by_name.items() if word == "dangerous")
    unknown = tuple(name for name, word in by_name.items() if word == "unknown")
    tricks = tuple(checkpoint.told("trick"))
    broken = (*checkpoint.broken, *outside(checkpoint))
    word: Word = "KNOWN"
    if dangerous:
        word = "DANGEROUS"
    elif broken:
        word = "BROKEN"
    elif unknown or tricks:
        word = "UNKNOWN"
    return Verdict(word, dangerous, unknown, checkpoint.calls, tricks, broken, checkpoint.coverage)


def acting(checkpoint: Checkpoint) -> str:
    """The first that loading it would do, of what is known to act: a call in words, or else a name.
    Empty where there is none."""
    dangerous = [name for name, word in _judged(checkpoint).items() if word == "dangerous"]
    calls = [called(call) for call in checkpoint.calls if call.name in dangerous]
    return next(iter([*calls, *map(str, dangerous)]), "")


def _judged(checkpoint: Checkpoint) -> dict[Global, Judged]:
    torchscript = checkpoint.format == "torchscript"
    names = dict.fromkeys([*checkpoint.imports, *(call.name for call in checkpoint.calls)])
    reached = {c.name for c in checkpoint.calls if str(c.name) == GETATTR and reaches(c.args)}
    given = any(call.name == LOADER for call in checkpoint.calls)
    read: dict[Global, Judged] = {} if given else {LOADER: "known"}
    return {
        n: "dangerous" if n in reached else read.get(n) or judged(n, torchscript) for n in names
    }
