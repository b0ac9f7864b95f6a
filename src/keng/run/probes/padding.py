"""Which positions of a batch are padding."""

from __future__ import annotations

import re
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from keng.run.probes.nested import Path, name_of
from keng.run.probes.stage import Skip, Stage

NAMED = re.compile(
    r"(?:attn|attention|pad|padding|key_padding|src_key_padding|valid|seq)?_?mask|(?:\w*_)?len(?:gth)?s?|valid\w*"
)
"""Names of masks that mark padding. A mask of a loss, of prompts or of what is hidden has another name."""


@dataclass(frozen=True)
class Padding:
    """`absent` is (rows, positions), true at padding of the input at `path`, whose positions lie in `axis`.
    `told_by` is the input that says so: a mask or lengths; None where it is concluded from the tokens.
    `declared` tells that an embedding of the model has that token as its `padding_idx`."""

    path: Path
    axis: int
    absent: Tensor
    told_by: Path | None
    declared: bool = False

    @property
    def oriented(self) -> Tensor:
        """`absent` with the axes of the input."""
        return self.absent if self.axis == 1 else self.absent.t()


def paddings(stage: Stage) -> list[Padding]:
    """The padding of every sequence among the inputs. Raises: Skip where there is none."""
    found = []
    for path, tensor, axis in stage.sequences:
        one = _by_mask(stage, path, tensor, axis) or _by_tokens(stage, path, tensor, axis)
        if one is not None:
            found.append(one)
    if not found:
        raise Skip("no-padding")
    return found


def _by_mask(stage: Stage, path: Path, tensor: Tensor, axis: int) -> Padding | None:
    flat = _flat(tensor, axis)
    for other, mask in stage.by_path.items():
        if other == path:
            continue
        for absent in _read(mask, flat):
            if _constant(flat, absent) or (NAMED.fullmatch(name_of(other)) and _at_ends(absent)):
                return Padding(path, axis, absent, other)
    return None


def _read(mask: Tensor, flat: Tensor) -> list[Tensor]:
    """What a tensor may mean as a mask of these positions, or as the lengths of the rows."""
    rows, length = flat.shape
    if mask.ndim == 2 and tuple(mask.shape) in ((rows, length), (length, rows)) and _binary(mask):
        real = mask.bool() if mask.shape == flat.shape else mask.bool().t()
        return [~real, real]
    whole = mask.ndim == 1 and mask.dtype in (torch.int64, torch.int32)
    if whole and len(mask) == rows and int(mask.min()) > 0 and int(mask.max()) <= length:
        return [torch.arange(length, device=mask.device)[None] >= mask[:, None]]
    return []


def _binary(mask: Tensor) -> bool:
    return mask.dtype == torch.bool or set(torch.unique(mask).tolist()) <= {0, 1}


def _constant(flat: Tensor, absent: Tensor) -> bool:
    """Padding has one value everywhere, and no row is padding altogether."""
    some = bool(absent.any()) and not bool(absent.all(1).any())
    return some and len(torch.unique(flat[absent])) == 1


def _at_ends(absent: Tensor) -> bool:
    """Rows of several lengths that all begin with a real position and have none after the first absent one:
    a mask of this shape and name marks padding, whatever lies there."""
    lengths = (~absent).sum(1)
    ends = not bool((absent[:, :-1] & ~absent[:, 1:]).any()) and int(lengths.min()) > 0
    return ends and len(torch.unique(lengths)) > 2


def _by_tokens(stage: Stage, path: Path, tensor: Tensor, axis: int) -> Padding | None:
    """Rows of tokens that end in the same token: 0 or the `padding_idx` of an embedding."""
    if tensor.is_floating_point():
        return None
    tokens = _flat(tensor, axis)
    declared = _declared(stage)
    for value in {*declared, 0}:
        absent = (tokens == value).flip(1).long().cumprod(1).bool().flip(1)
        inside = bool(((tokens == value) & ~absent).any())
        enough = bool((absent.sum(1) >= 2).any()) and int((absent.sum(1) > 0).sum()) >= 2
        whole = bool(absent.all(1).any()) or bool(absent.all(0).any())
        if enough and not whole and (value in declared or not inside):
            return Padding(path, axis, absent, None, value in declared)
    return None


def _declared(stage: Stage) -> set[int]:
    embeddings = (each for each in stage.call.model.modules() if isinstance(each, nn.Embedding))
    return {each.padding_idx for each in embeddings if each.padding_idx is not None}


def _flat(tensor: Tensor, axis: int) -> Tensor:
    """(rows, positions), features reduced to their sum."""
    rows_first = tensor if axis == 1 else tensor.transpose(0, 1)
    return rows_first if rows_first.ndim == 2 else rows_first.abs().sum(-1)
