"""Judges a file by the names that loading it would import."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint, Verdict
from keng.ckpt.describe import called
from keng.ckpt.nodes import Global
from keng.ckpt.pickle.budget import ALIKE
from keng.ckpt.pickle.names import GETATTR, GRAPH_MODULE, LOADER, Judged, judged, reaches
from keng.ckpt.tree import walk
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
    if GRAPH_MODULE in names and _is_plain_graph(checkpoint):
        read[GRAPH_MODULE] = "unknown"
    return {
        n: "dangerous" if n in reached else read.get(n) or judged(n, torchscript) for n in names
    }


def _is_plain_graph(checkpoint: Checkpoint) -> bool:
    """Whether the code of all modules of torch.fx is as torch.fx writes it, and nothing else makes one."""
    from keng.ckpt.pickle.graph_code import only_computes  # late: it imports ast

    graphs = [call for call in checkpoint.calls if call.name == GRAPH_MODULE]
    others = (node for call in checkpoint.calls for _, node in walk(call.args))
    return (
        0 < len(graphs) < ALIKE  # no more calls of one name are noted
        and all(only_computes(call.args) for call in graphs)
        and not any(isinstance(node, Global) and node == GRAPH_MODULE for node in others)
    )
