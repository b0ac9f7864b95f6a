"""Source code: several cards are driven by one process."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code


@finds(mentions=["torch.nn.DataParallel"])
def one_process_for_all_cards(code: Code) -> Hits:
    for call in _trained_in(code, "torch.nn.DataParallel", "torch.nn.parallel.DataParallel"):
        says = say("one-process-for-all-gpus")
        yield code.hit(call, says)


def _trained_in(code: Code, *wrappers: str) -> Iterator[ast.Call]:
    """The calls of these wrappers whose result a training loop of this file calls."""
    for loop in code.loops.training:
        for call in code.below(loop.node, ast.Call):
            made = code.types.value_of(call.func)
            if made.dotted in wrappers and made.call is not None and made.call in code.tree.parent:
                yield made.call
