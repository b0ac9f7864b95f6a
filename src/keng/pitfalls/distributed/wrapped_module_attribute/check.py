"""Source code: a wrapped model is asked for what the model inside has."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def asked_of_the_wrapper(code: Code) -> Hits:
    for node, inside in code.attributes_of_wrapped():
        edit = code.replace(node.value, inside)
        fix = Fix("Ask the model inside", (edit,), "safe")
        wrapper = code.text_of(node.value)
        wraps = f"`{wrapper}` is the wrapper"
        if code.prepared_by(node.value) is not None:
            wraps = f"`{wrapper}` is a wrapper where several processes run"
        yield code.hit(node, f"{wraps}; `{node.attr}` is in `{inside}`", fix)
