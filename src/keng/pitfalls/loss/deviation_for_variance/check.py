"""Source code: a standard deviation is given for a variance, or the other way round."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def taken_for_the_other(code: Code) -> Hits:
    for given, call, power, sure in code.spreads_mistaken():
        text, taker = code.text_of(given), code.text_of(call.func)
        if power == 1:
            says = f"`{text}` is a standard deviation, and `{taker}` takes the variance: its square"
            fix = Fix("Give the variance", (code.append(given, ".square()"),))
        else:
            says = f"`{text}` is a variance, and `{taker}` takes the standard deviation: its root"
            fix = Fix("Give the standard deviation", (code.append(given, ".sqrt()"),))
        yield code.hit(given, says, fix, sure=sure)
