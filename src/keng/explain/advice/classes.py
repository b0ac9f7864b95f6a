"""Methods that are called on a class, so that their first argument takes the place of the object."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Span

ON_A_CLASS = re.compile(
    r"\b(?P<owner>[A-Z]\w{1,60})\.(?P<method>[a-z]\w{1,60})\((?!self\b|cls\b|\))"
)


def called_on_class(failure: Failure, attribute: str) -> tuple[str, Span] | None:
    """`Writer.add_graph`, where a line calls it so, and below it `self` lacks an attribute; and that line."""
    asked = re.compile(rf"\bself\.{re.escape(attribute)}\b")
    for above, below in zip(failure.frames, failure.frames[1:], strict=False):
        for found in ON_A_CLASS.finditer(above.text) if asked.search(below.text) else ():
            if re.match(rf"{found['method']}\b", below.function.rpartition(".")[2]):
                return f"{found['owner']}.{found['method']}", Span(above.path, above.line)
    return None
