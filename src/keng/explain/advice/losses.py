"""Shapes of a loss: why the output and the target hold different numbers of values."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod


def why_counts_differ(target: Sequence[int], given: Sequence[int]) -> str:
    """Why there are more or fewer of them: values for a sample, or the height and width of a map."""
    if len(target) == len(given) > 3 and target[:2] == given[:2]:
        maps = "F.interpolate one to the other, or other paddings and strides on the way"
        return f"maps of {_sizes(given)} and {_sizes(target)}: {maps}"
    if 1 < len(target) == len(given) < 4 and target[:-1] == given[:-1]:
        wants, came = target[-1], given[-1]
        cure = f"a last layer of {wants}, or a target of {came}"
        return f"the model gives {came} for each sample, and the target has {wants}: {cure}"
    rows, values = given[0] if given else 0, target[0] if target else 0
    single = prod(given) == rows and prod(target) == values
    if single and 0 < rows < values and values % rows == 0:
        each = values // rows
        return f"{each} values of the target for each of {rows} samples: a model of {each} outputs"
    if len(target) == 2 and list(target[:1]) == list(given):
        cure = f"a last layer of {target[1]}, and no argmax, max or squeeze behind it"
        return f"one value for each sample meets a target of {target[1]}: {cure}"
    if rows and values and rows != values and {*target[1:], *given[1:]} <= {1}:
        made = "as where one was made for the full batch: x.size(0) in place of its size"
        return f"the batches differ, {made}, or drop_last=True"
    return ""


def _sizes(shape: Sequence[int]) -> str:
    return " x ".join(map(str, shape[2:]))
