"""A running program: a penalty on gradients is computed without their graph."""

from __future__ import annotations

from keng.model import Hits
from keng.pitfalls.autograd.penalty_without_graph._shared import only_a_number
from keng.rules import watches
from keng.run.moments import UselessTerm


@watches("loss.term")
def added_as_a_number(seen: UselessTerm) -> Hits:
    yield seen.hit(only_a_number(seen.term, seen.loss))
