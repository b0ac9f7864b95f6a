"""Source code: the divergence of a variational autoencoder is added with the wrong sign, or its variance misread."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds
def rewarded_for_growing(code: Code) -> Hits:
    for term, loss in code.divergences_turned_round():
        says = f"`{code.text_of(term)}` has the opposite sign of a divergence beside `{loss}`"
        yield code.hit(term, f"{says}: it is rewarded for growing")


@finds(fixes=True)
def variance_for_deviation(code: Code) -> Hits:
    for call, name, given in code.deviations_of_log_variances():
        says = f"`{name}` is the variance: the deviation is `exp(0.5 * {given})`"
        fix = Fix("Take the root of it", (code.append(call, ".sqrt()"),))
        yield code.hit(call, says, fix)
