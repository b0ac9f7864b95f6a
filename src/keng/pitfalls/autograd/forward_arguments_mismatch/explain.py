"""Error messages: a model is called with more or fewer inputs than its forward takes."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from keng.explain.advice.edits import rewritten_argument
from keng.explain.failure import Failure
from keng.model import Fix, Hits, Message, say
from keng.rules import explains
from keng.source import Code
from keng.tables.torch_names import MODULES

CALLS, HANDS_ON = "torch/nn/modules/module.py", "torch/nn/modules/container.py"


CALLED = re.compile(r"(?<![\w.])(?!print\()[A-Za-z_][\w.]*\((?:[^()\n]|\([^()\n]*\)){0,80}\)")

TAKEN_TOO: Mapping[str, str] = {
    "'indices'": "nn.MaxUnpool2d(2)(*nn.MaxPool2d(2, return_indices=True)(x))",
    "'memory'": "nn.TransformerDecoder(...)(tgt, memory)",
    "'tgt'": "nn.Transformer(...)(src, tgt)",
    "'key' and 'value'": "nn.MultiheadAttention(...)(x, x, x)",
    "'positive' and 'negative'": "nn.TripletMarginLoss()(anchor, positive, negative)",
    "'input2'": "nn.Bilinear(...)(x1, x2)",
    "'x2'": "nn.CosineSimilarity()(x1, x2)",
    "'target'": "nn.MSELoss()(output, target)",
}
"""What a forward of PyTorch's takes besides its input, as it is called; others may have such names too."""


@explains("too-little")
def too_little(failure: Failure) -> Hits:
    names = failure.groups["names"]
    sequential = "Sequential(" in (failure.line or failure.surrounding)
    if failure.groups["owner"] in MODULES or not _is_torchs(failure):
        return
    if _is_called_by_torch(failure):
        packed = _given_packed(failure, names.count("'") // 2 + 1)
        fix = failure.ask_line(_spread, packed) if packed else None
        yield failure.hit(_too_few(_call_in(failure), names, packed), fix)
    elif sequential:
        yield failure.hit(say("nn-sequential-hands-on", names=names))
    elif not any(frame.posix.endswith(HANDS_ON) for frame in failure.frames):
        if names in TAKEN_TOO:
            says = say("layer-takes-more", names=names, example=TAKEN_TOO[names])
        else:
            says = say("forward-takes-more", names=names)
        yield failure.hit(says, sure=False)


@explains("too-much")
def too_much(failure: Failure) -> Hits:
    owner = failure.groups["owner"]
    takes, given = (int(failure.groups[name]) - 1 for name in ("takes", "given"))
    if owner in MODULES or not takes or not _is_torchs(failure):
        return
    if _is_called_by_torch(failure):
        if call := _call_in(failure):
            yield failure.hit(say("gives-forward-calls-takes", call=call, given=given, takes=takes))
        else:
            yield failure.hit(say("gives-forward-takes", given=given, takes=takes))
    elif "Sequential(" in (failure.line or failure.surrounding):
        yield failure.hit(say("nn-sequential-takes-one", given=given))
    else:
        yield failure.hit(say("forward-takes-beside-given", takes=takes, given=given), sure=False)


def _is_called_by_torch(failure: Failure) -> bool:
    """Whether nn.Module called what did not fit, which has no frame of its own, for a line of the user's."""
    above = next((f for f in reversed(failure.frames) if not f.posix.endswith(CALLS)), None)
    return failure.raised_in.endswith(CALLS) and above is not None and above.user


def _is_torchs(failure: Failure) -> bool:
    """A forward is a module's of PyTorch, unless a traceback shows nothing of it."""
    return failure.mentions_torch or not failure.frames


def _call_in(failure: Failure) -> str:
    """The one call of the failing line, or nothing."""
    found = {each[0] for each in CALLED.finditer(failure.line)}
    return found.pop() if len(found) == 1 else ""


def _spread(code: Code, line: int, packed: str) -> Fix | None:
    """A fix that gives a call the parts of what the program itself has put together for it; a batch of
    a loader may hold other things."""
    here = [n for n in code.tree.on_line(line, ast.Name) if n.id == packed]
    found = code.flow.reaching_definitions(here[0]) if here else []
    made = [b.value for b in found if b.how == "assign"]
    together = len(found) == len(made) == 1 and isinstance(made[0], (ast.Tuple, ast.List))
    return rewritten_argument(code, line, packed, f"*{packed}") if together else None


def _given_packed(failure: Failure, count: int) -> str:
    """The one list or tuple that holds as many tensors as the forward takes, and is given alone."""
    failing = failure.live.failing
    names = [tensor.name for tensor in failing.tensors] if failing is not None else []
    packed = names[0].rpartition("[")[0] if names else ""
    whole = names == [f"{packed}[{n}]" for n in range(count)]
    alone = packed and re.search(rf"\({re.escape(packed)}\)", failure.line)
    return packed if whole and alone else ""


def _too_few(call: str, names: str, packed: str) -> Message:
    """What is missing of a call, "" where the failing line has several, and the variable that holds it."""
    if packed and call:
        return say("call-gives-one-tuple", call=call, names=names, packed=packed)
    if packed:
        return say("gives-one-tuple", names=names, packed=packed)
    if call:
        return say("call-gives-too-little", call=call, names=names)
    return say("gives-too-little", names=names)
