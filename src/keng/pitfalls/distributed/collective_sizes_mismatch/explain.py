"""Error messages: a collective gets tensors that do not fit the group."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("another-number-of-tensors")
def another_number_of_tensors(failure: Failure) -> Hits:
    came, world = failure.groups["came"], failure.groups["world"]
    yield failure.hit(f"a list of {came} for a world size of {world}: one tensor for each rank")


@explains("shapes-differ")
def shapes_differ(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(
        f"a place in the list has the shape {came}, and the tensor {wants}: torch.empty_like(x) for each rank; where the ranks' own "
        "shapes differ, pad them to one first"
    )


@explains("no-share-for-each")
def no_share_for_each(failure: Failure) -> Hits:
    yield failure.hit(
        "each rank gives or gets as many rows: the larger tensor is world size times the smaller one"
    )


@explains("list-for-each-rank")
def list_for_each_rank(failure: Failure) -> Hits:
    yield failure.hit(
        "reduce_scatter takes a list of one tensor for each rank, each of the output's shape"
    )


@explains("splits-do-not-add-up")
def splits_do_not_add_up(failure: Failure) -> Hits:
    yield failure.hit(
        "the split sizes of all_to_all do not add up to the first dimension: input_split_sizes to that of what is sent, "
        "output_split_sizes to that of what comes"
    )


@explains("dtypes-differ")
def dtypes_differ(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(
        f"{one} and {other} meet in one collective: torch.empty_like(x) for what is received, and .float() for what NumPy has made"
    )


@explains("list-on-one-rank")
def list_on_one_rank(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"{name} is given on the destination or source rank alone, None on the others"
    )
