"""Error messages: cUDA cannot start, and does not say why."""

from __future__ import annotations

from keng.explain.advice.cards import unknown_to_the_driver
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("driver-left-broken")
def driver_left_broken(failure: Failure) -> Hits:
    yield failure.hit(unknown_to_the_driver(failure))


@explains("cards-not-counted")
def cards_not_counted(failure: Failure) -> Hits:
    yield failure.hit(
        f"the driver fails while the cards are counted ({failure.groups['why'].strip()}, error "
        f"{failure.groups['code']}): nvidia-smi in the same container or WSL, then a newer driver or a restart"
    )


@explains("not-started")
def not_started(failure: Failure) -> Hits:
    yield failure.hit(
        "CUDA does not start in this process: it was forked after CUDA had started (spawn instead), or the driver "
        "hangs; see nvidia-smi and whether a fresh python -c 'import torch; torch.ones(1).cuda()' works"
    )
