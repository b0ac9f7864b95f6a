"""What several surfaces of penalty-without-graph share."""

from __future__ import annotations

from textwrap import shorten


def only_a_number(term: str, loss: str) -> dict[str, str]:
    """The values of the message: the term, shortened, and the loss it is added to."""
    return {"term": shorten(term, 60, placeholder=" ..."), "loss": loss}
