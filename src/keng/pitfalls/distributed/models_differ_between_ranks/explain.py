"""Error messages: the ranks wrap models that differ."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("another-number")
def another_number(failure: Failure) -> Hits:
    one, few, other, many = (failure.groups[key] for key in ("one", "few", "other", "many"))
    if "0" in (few, many):  # DDP refuses a model that has none before it asks
        yield failure.hit(
            f"the count of rank {one if few == '0' else other} came as 0, which no model has: the exchange between the cards failed, and not the model; "
            "NCCL_P2P_DISABLE=1 tells whether they reach each other, NCCL_DEBUG=WARN why not"
        )
        return
    yield failure.hit(
        f"rank {one} has {few} parameters and rank {other} has {many}: the model depends on the rank, as by classes counted in its share of the data, or by what is frozen there"
    )


@explains("other-sizes")
def other_sizes(failure: Failure) -> Hits:
    rank, at, sizes = (failure.groups[key] for key in ("rank", "at", "sizes"))
    yield failure.hit(
        f"parameter {at} is ({sizes}) in {f'process {rank}' if rank else 'this process'} and another size in process 0: the model depends on the rank, as by a vocabulary or classes counted in its share of the data"
    )
