"""Source code: features are chosen by the labels of samples that are tested on later."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def learnt_from_all(code: Code) -> Hits:
    for place, name, part, sure in code.fitted_before_split():
        if sure:
            yield code.hit(
                place, f"`{name}` reads the labels of `{part}`, which is split off later"
            )
        else:
            says = f"`{name}` is computed over `{part}` as well, which is split off later"
            yield code.hit(place, says, sure=False)
