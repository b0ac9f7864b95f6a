"""Source code: a metric counts some samples twice, since the sampler padded the data."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

PROCESSES = re.compile(r"world|replicas|ranks|tasks|gpus|processes", re.IGNORECASE)


@finds(mentions=["DistributedSampler"])
def some_counted_twice(code: Code) -> Hits:
    for sampler in _padded_samplers_counted(code):
        says = say("last-samples-repeated-fill")
        yield code.hit(sampler, says)


def _padded_samplers_counted(code: Code) -> Iterator[ast.Call]:
    """DistributedSamplers in order, without drop_last, whose samples a loop that does not train
    counts."""
    samplers = set(code.calls.calls_to("torch.utils.data.DistributedSampler"))
    for loop in code.of(ast.For) if samplers else ():
        made = code.loaders.loader_made(loop.iter)
        sampler = code.calls.argument(made, "sampler", 4) if made is not None else None
        call = code.flow.call_behind(sampler)
        if call is None or call not in samplers:
            continue
        given = {k.arg: k.value for k in call.keywords}
        ordered = "shuffle" in given and code.flow.is_constant(given["shuffle"], False)
        if ordered and "drop_last" not in given and _counts(code, loop) and not _minds_rest(code):
            yield call


def _minds_rest(code: Code) -> bool:
    """Whether the file asks for what is left where samples are divided among processes."""
    rests = [op for op in code.of(ast.BinOp) if isinstance(op.op, ast.Mod)]
    return any(PROCESSES.search(ast.unparse(op.right)) for op in rests)


def _counts(code: Code, loop: ast.For) -> bool:
    adds = [a for a in code.below(loop, ast.AugAssign) if isinstance(a.op, ast.Add)]
    trains = any(code.within(c, loop) for c in code.calls.method_calls("backward"))
    return bool(adds) and not trains
