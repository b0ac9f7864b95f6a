"""Where a layer is not to be made for the size that came: matrices without a layer, columns for rows, weights
that were replaced."""

from __future__ import annotations

import re

from keng.failures import Failure
from keng.model import Fix

PRODUCT = re.compile(r"\b(?:torch\.)?(?:matmul|mm)\((\w[\w.]{0,60}), (\w[\w.]{0,60})\)")
"""Of two matrices that have names."""


def one_size_is_not_it(failure: Failure, wants: int, came: int) -> tuple[str, Fix | None] | None:
    """Of two matrices where none is a layer's weight, or one that is no more what its layer was made with."""
    if not failure.in_layer("Linear"):
        return two_matrices(failure, wants, came)
    if (column := one_below_the_other(failure, wants, came)) is not None:
        return column
    replaced = weight_replaced(failure, "in_features", wants, came)
    return (replaced, None) if replaced else None


def two_matrices(failure: Failure, wants: int, came: int) -> tuple[str, Fix | None]:
    """Where only the second of two matrices, turned round, makes them fit, that is the fix."""
    there = failure.live.operands
    named = [tuple(each.name for each in there)]
    if len(there) != 2:
        named = PRODUCT.findall(failure.line or failure.around)
    if len(named) != 1 and (column := one_below_the_other(failure, wants, came)) is not None:
        return column
    if len(named) != 1:
        says = f"in an nn.Linear, in_features={came} would fit: {came} columns meet {wants} rows"
        return says, None
    one, other = named[0]
    says = f"`{one}` has {came} columns, but `{other}` has {wants} rows"
    if [len(each.shape) for each in there] != [2, 2] or there[0].shape[0] == wants:
        return says, None
    return says, failure.turned(there[1].name, "{}.T") if there[1].shape[1] == came else None


def one_below_the_other(failure: Failure, wants: int, came: int) -> tuple[str, Fix | None] | None:
    """Of the features of one sample that stand in a column, where a layer takes them in a row."""
    given = failure.given.shape if failure.given is not None else (wants, 1)
    if not came == 1 < wants == int(failure.groups["rows"]) or given != (wants, 1):
        return None
    says = (
        f"a linear layer takes {wants} features in a row, and here they stand one below the other"
    )
    says = f"{says}: {failure.fed}.T for one sample"
    return says, failure.refed("{}.T") if failure.given is not None else None


def weight_replaced(failure: Failure, keyword: str, wants: int, came: int) -> str:
    """Where another size than the layer's would not help: its weight is another layer's too, or its size or
    weight was set after it was made."""
    layer = failure.live.layer
    weights = [each for each in layer.held if each.name.endswith(".weight")] if layer else []
    if layer is None or not weights:
        return ""
    made, shape = layer.settings.get(keyword, wants), weights[0].shape
    if layer.tied_to:
        says = f"`{layer.path}` gets {came}, but its weight {shape}, which is that of `{layer.tied_to}`"
        return (
            f"{says}, takes {wants}: tied weights need one size for both, or a projection before it"
        )
    says = f"`{layer.path}` has {keyword}={made}, but its weight {shape} takes {wants}"
    return f"{says}: one of the two was set afterwards; make a new layer" if made != wants else ""


def more_padding(failure: Failure, wants: str, came: str) -> str:
    """How much padding makes room for a kernel, "3 x 3" of an input "2 x 2"."""
    pairs = zip(came.split(" x "), wants.split(" x "), strict=True)
    more = max((int(size) - int(there) + 1) // 2 for there, size in pairs)
    padding = failure.live.layer.settings.get("padding") if failure.live.layer else None
    if isinstance(padding, tuple):
        return f"padding={max(padding) + more}"
    return f"{more} more padding on each side"
