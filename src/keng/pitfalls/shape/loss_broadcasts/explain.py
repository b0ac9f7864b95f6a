"""Error messages: predictions and targets of different shapes are broadcast in the loss."""

from __future__ import annotations

from collections.abc import Sequence

from keng.explain.advice.losses import why_counts_differ
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("every-pair-compared")
def every_pair_compared(failure: Failure) -> Hits:
    target, given = (failure.groups[name] for name in ("target", "input"))
    names = failure.loss_argument_name(0, "`input`"), failure.loss_argument_name(1, "`target`")
    cure = "give both one shape"
    if given == f"{target}, 1":
        cure = f"each meets all of the other: {names[0].strip('`')}.squeeze({given.count(',')})"
    elif target == f"{given}, 1":
        cure = f"each meets all of the other: {names[1].strip('`')}.squeeze({target.count(',')})"
    else:
        shapes = [[int(size) for size in each.split(", ") if size] for each in (target, given)]
        plain = [name.strip("`") for name in names]
        cure = (
            why_counts_differ(*shapes) or _brought_to_one_shape(shapes[1], shapes[0], plain) or cure
        )
    yield failure.hit(f"{names[0]} is [{given}] and {names[1]} is [{target}]: {cure}")


def _brought_to_one_shape(given: Sequence[int], target: Sequence[int], names: Sequence[str]) -> str:
    """What to do about an output and a target of a loss that compares values: which of them has too much."""
    if [n for n in given if n != 1] == [n for n in target if n != 1]:
        more, less = names if len(given) > len(target) else names[::-1]
        return f"the same values: {more}.view_as({less})"
    if given[1:] == target[1:] and 1 in (given[0], target[0]):
        which = "target" if target[0] == 1 else "output"
        says = f"one {which} for a batch of {max(given[0], target[0])}"
        return f"{says}: an index, a mean or a squeeze() took the batch away"
    if len(given) == len(target) + 1 and (given[0], *given[2:]) == tuple(target):
        return _of_several(given[1])
    if len(target) == len(given) + 1 and target[: len(given)] == given:
        says = f"one number of the model for each, and {target[-1]} of the target"
        return f"{says}: a last layer of {target[-1]}, without an argmax or squeeze behind it"
    return ""


def _of_several(count: int) -> str:
    says = (
        f"{count} numbers of the model for each target: nn.CrossEntropyLoss where they are scores"
    )
    return f"{says} of classes, [:, -1] where they are steps"
