"""Error messages: the PyTorch that is installed has no code for this card."""

from __future__ import annotations

from keng.explain.advice.cards import without_code
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains
from keng.tables import rocm
from keng.tables.compiled_parts import LIBRARIES
from keng.tables.cuda import told_of_card


@explains("told-when-cuda-starts")
def told_when_cuda_starts(failure: Failure) -> Hits:
    card = failure.groups["card"]
    yield failure.hit(told_of_card(card, failure.groups.get("built", "")))


@explains("no-code-for-the-card")
def no_code_for_the_card(failure: Failure) -> Hits:
    card = failure.groups.get("card") or "its architecture"
    near = rocm.told_of_card(f"{failure.message} {failure.told}", card)
    yield failure.hit(near or without_code(failure, LIBRARIES))
