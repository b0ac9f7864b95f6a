"""Error messages: predictions and targets of different shapes are broadcast in the loss."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("every-pair-compared")
def every_pair_compared(failure: Failure) -> Hits:
    target, given = (failure.groups[name] for name in ("target", "input"))
    names = failure.loss_argument_name(0, "`input`"), failure.loss_argument_name(1, "`target`")
    shapes = [[int(size) for size in each.split(", ") if size] for each in (given, target)]
    plain = [name.strip("`") for name in names]
    if given == f"{target}, 1":
        advice = say("squeeze-one", name=plain[0], dim=given.count(","))
    elif target == f"{given}, 1":
        advice = say("squeeze-one", name=plain[1], dim=target.count(","))
    else:
        advice = (
            _counts_apart(*shapes)
            or _of_one_shape(shapes[0], shapes[1], plain)
            or say("make-one-shape")
        )
    yield failure.hit(
        say(
            "shapes-differ",
            input=names[0],
            given=given,
            target=names[1],
            wants=target,
            advice=advice,
        )
    )


def _counts_apart(given: Sequence[int], target: Sequence[int]) -> Message | None:
    """Why there are more or fewer values: values for a sample, or the height and width of a map."""
    if len(target) == len(given) > 3 and target[:2] == given[:2]:
        sizes = [" x ".join(map(str, shape[2:])) for shape in (given, target)]
        return say("resize-maps", one=sizes[0], other=sizes[1])
    if 1 < len(target) == len(given) < 4 and target[:-1] == given[:-1]:
        return say("outputs-differ", came=given[-1], wants=target[-1])
    rows, values = given[0] if given else 0, target[0] if target else 0
    single = prod(given) == rows and prod(target) == values
    if single and 0 < rows < values and values % rows == 0:
        return say("several-targets", each=values // rows, rows=rows)
    if len(target) == 2 and target[:1] == given:
        return say("one-output", wants=target[1])
    if rows and values and rows != values and {*target[1:], *given[1:]} <= {1}:
        return say("batches-differ")
    return None


def _of_one_shape(
    given: Sequence[int], target: Sequence[int], names: Sequence[str]
) -> Message | None:
    """What to do about an output and a target of a loss that compares values: which of them has too much."""
    if [n for n in given if n != 1] == [n for n in target if n != 1]:
        more, less = names if len(given) > len(target) else names[::-1]
        return say("same-values", more=more, less=less)
    if given[1:] == target[1:] and 1 in (given[0], target[0]):
        size = max(given[0], target[0])
        return say("one-target", size=size) if target[0] == 1 else say("one-of-batch", size=size)
    if len(given) == len(target) + 1 and [given[0], *given[2:]] == target:
        return say("several-outputs", count=given[1])
    if len(target) == len(given) + 1 and target[: len(given)] == given:
        return say("one-output", wants=target[-1])
    return None
