"""Source code: a convolution has a bias that batch normalization takes away again."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def bias_without_effect(code: Code) -> Hits:
    for conv in code.convolutions_before_norm():
        fix = code.add_argument(conv, "bias=False", "Leave the bias out")
        yield code.hit(conv, "the batch norm behind it takes this bias away: bias=False", fix=fix)
