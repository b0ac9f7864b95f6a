"""Source code: a loader is to shuffle and gets a sampler."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.types.kinds import is_none


@finds(mentions=["DataLoader"])
def shuffled_and_sampled(code: Code) -> Hits:
    for call in code.calls.calls_to("torch.utils.data.DataLoader"):
        given = {k.arg: k.value for k in call.keywords}
        shuffle, sampler = given.get("shuffle"), given.get("sampler")
        if shuffle is None or sampler is None or not code.flow.is_true(shuffle):
            continue
        if _is_sampler(code, sampler) and not code.modes.in_try_or_raises(call):
            yield code.hit(shuffle, say("shuffled-and-sampled", sampler=code.text_of(sampler)))


def _is_sampler(code: Code, node: ast.expr) -> bool:
    """Whether a value is a sampler, on some ways perhaps: `DistributedSampler(data) if ranks > 1 else None`."""
    found = code.flow.reaching_definitions(node) if isinstance(node, ast.Name) else []
    given = [each.value for each in found] if isinstance(node, ast.Name) else [node]
    ways = [way for value in given for way in _ways(value)]
    made = [way for way in ways if not is_none(way)]
    return bool(made) and all(isinstance(way, ast.Call) for way in made)


def _ways(value: ast.expr | None) -> list[ast.expr | None]:
    if isinstance(value, ast.IfExp):
        return [*_ways(value.body), *_ways(value.orelse)]
    return [value]
