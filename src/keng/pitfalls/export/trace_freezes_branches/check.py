"""Source code: a model whose way depends on its data is traced."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def frozen_branch(code: Code) -> Hits:
    for place, test in code.traced_branches():
        yield code.hit(place, f"the trace keeps what `{test}` is for its example")
