"""Source code: a loader is to shuffle and gets a sampler."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code


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
    """Whether a value is a sampler on every way to it."""
    if isinstance(node, ast.Name):
        ways = [b.value for b in code.flow.reaching_definitions(node)]
        return bool(ways) and all(isinstance(way, ast.Call) for way in ways)
    return isinstance(node, ast.Call)
