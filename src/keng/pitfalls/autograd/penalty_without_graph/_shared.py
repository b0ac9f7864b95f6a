"""What several surfaces of penalty-without-graph share."""

from __future__ import annotations

from textwrap import shorten


def only_a_number(term: str, loss: str) -> str:
    says = f"`{shorten(term, 60, placeholder=' ...')}` is only a number in `{loss}`, which nothing learns from"
    return f"{says}: these gradients have no graph without create_graph=True"
