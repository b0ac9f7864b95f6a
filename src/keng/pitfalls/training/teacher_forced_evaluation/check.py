"""Source code: a decoder is judged while it is still told the right tokens."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def answers_given_at_evaluation(code: Code) -> Hits:
    for call, argument, default, judged in code.forced_evaluations():
        off = f"{argument}={type(default)(0)!r}"
        fix = code.add_argument(call, off, f"Let the model go on from what it said: `{off}`")
        told = f"`{argument}={default!r}` as in training"
        says = f"`{code.text_of(call.func)}` is evaluated with {told}: it is told the right tokens"
        yield code.hit(call, says, fix=fix, sure=judged)
