"""Error messages: a context manager is called as a statement, and nothing happens."""

from __future__ import annotations

import ast
import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.autograd.context_not_entered._shared import CONTEXTS
from keng.rules import explains

OPENED = re.compile(
    r"\bwith ((?:\w+\.){0,3}(?:no_grad|enable_grad|inference_mode|autocast|detect_anomaly)):"
)


@explains("class-refused")
def class_refused(failure: Failure) -> Hits:
    line = failure.place.line if failure.place is not None else 0
    code = failure.code
    blocks = code.tree.on_line(line, ast.With) if code is not None else []
    for context in [item.context_expr for block in blocks for item in block.items]:
        if code is not None and code.names.resolve(context) in CONTEXTS:
            yield failure.hit(say("class-is-entered", context=code.text_of(context)))
    named = OPENED.search(failure.line or failure.surrounding)
    if not blocks and named is not None:
        yield failure.hit(say("class-is-entered", context=named[1]))
