"""Error messages: the ranks call different collectives, or not the same number of them."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("told-by-detail")
def told_by_detail(failure: Failure) -> Hits:
    told = re.findall(r"Rank (\d+) is running .{0,120}?OpType=(\w+)", failure.message)
    if len(told) < 2:
        yield failure.hit(say("different-calls-unknown"))
        return
    (rank, op), (other, other_op) = told[:2]
    if op == other_op:
        yield failure.hit(_of_one_kind(failure, rank, other, op))
        return
    says = say("different-calls", rank=rank, op=op, other=other, other_op=other_op)
    yield failure.hit(says)


def _of_one_kind(failure: Failure, rank: str, other: str, op: str) -> Message:
    """What else differs between two ranks in a collective of one kind: the shapes, the dtypes, or only the number
    that counts the calls of each."""
    given = {"rank": rank, "other": other, "op": op}
    if len(shapes := _values("TensorShape", failure.message)) == 2:
        return say("different-shapes", shape=shapes[0], other_shape=shapes[1], **given)
    if len(dtypes := _values("TensorDtypes", failure.message)) == 2:
        return say("different-dtypes", dtype=dtypes[0], other_dtype=dtypes[1], **given)
    if len(numbers := _values("SequenceNumber", failure.message)) == 2:
        return say("different-numbers", number=numbers[0], other_number=numbers[1], **given)
    return say("different-calls-unknown")


def _values(field: str, message: str) -> list[str]:
    """What the first two ranks have in a field, once where it is the same."""
    values = re.findall(rf"\b{field}=(\[[^=\n]{{0,60}}?\](?=[,)])|\d+|\w{{1,30}})", message)
    return list(dict.fromkeys(values[:2]))
