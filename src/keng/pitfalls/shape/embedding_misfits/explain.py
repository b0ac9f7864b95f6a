"""Error messages: an embedding gets bags, weights or a table that do not fit it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("lengths-for-offsets")
def lengths_for_offsets(failure: Failure) -> Hits:
    yield failure.hit(
        f"offsets say where each bag begins, and the first is {failure.groups['came']} and not 0: of lengths, lengths.cumsum(0) - lengths"
    )


@explains("behind-the-end")
def behind_the_end(failure: Failure) -> Hits:
    length, came = failure.groups["length"], failure.groups["came"]
    yield failure.hit(f"the last bag would begin at {came}, and there are {length} indices")


@explains("weights-without-a-sum")
def weights_without_a_sum(failure: Failure) -> Hits:
    yield failure.hit(
        f"weights of samples go with mode='sum', not '{failure.groups['mode']}': weights that sum to 1 give a mean"
    )


@explains("weights-of-another-shape")
def weights_of_another_shape(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(f"each index has a weight: the indices are {wants}, and the weights {came}")


@explains("outside-the-table")
def outside_the_table(failure: Failure) -> Hits:
    yield failure.hit(
        f"an index is {failure.groups['came']}, which is no row of the table: num_embeddings, or other indices"
    )
