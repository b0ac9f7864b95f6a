"""Error messages: a pipe of `torch.utils.data.datapipes` is used as it cannot be."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("one-branch-runs-ahead")
def one_branch_runs_ahead(failure: Failure) -> Hits:
    yield failure.hit(
        f"one branch is {failure.groups['size']} samples ahead of another: read them in step, zip(a, b), or a larger `buffer_size`"
    )


@explains("of-other-arguments")
def of_other_arguments(failure: Failure) -> Hits:
    name, takes = failure.groups["name"], failure.groups["takes"]
    yield failure.hit(
        f"`{name}` takes {takes} arguments, and a pipe gives it one sample: functools.partial for the others, or input_col"
    )


@explains("without-length")
def without_length(failure: Failure) -> Hits:
    yield failure.hit(
        f"a {failure.groups['kind']} has no length, which its samples alone tell: count them, or go without"
    )
