"""Error messages: a function given to spawn does not take the rank."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("rank-not-expected")
def rank_not_expected(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/multiprocessing/spawn.py"):
        takes, came = failure.groups["takes"], failure.groups["came"]
        yield failure.hit(
            f"spawn calls the function with the rank and then args, {came} in all, and it takes {takes}: def main(rank, ...), args=(config,)"
        )
