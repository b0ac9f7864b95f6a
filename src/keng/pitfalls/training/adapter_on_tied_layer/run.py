"""A running program: an adapter of one tied layer was merged into a weight that another layer uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

import torch

from keng.model import say
from keng.run.events import Forward, RootModule, RunEnd, TensorsSaved
from keng.run.optimizers import sample_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

FORWARDS = 4
"""Forwards in training at which a model is searched for tied weights."""


class Tied(NamedTuple):
    """A frozen weight of two layers, `adapted` and `other`, the first of which has an adapter that is
    trained, and some of its numbers at that time."""

    weight: ref[Tensor]
    adapted: str
    other: str
    sample: Tensor


class MergedTies(Recorder):
    """Nothing trains a frozen weight: where it has changed, the adapter was merged into it."""

    dormant = (Forward, TensorsSaved)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.forwards = 0
        self.tied: list[Tied] = []

    def root_module(self, event: RootModule) -> None:
        self.forwards = 0
        self.listen(Forward)
        self._compare()

    def forward(self, event: Forward) -> None:
        if not event.module.training or not torch.is_grad_enabled():
            return
        self.forwards += 1
        if self.forwards >= FORWARDS:
            self.ignore(Forward)
        if not self.tied:
            with unwatched():
                self.tied = list(_adapted_ties(event.module))
            if self.tied:
                self.listen(TensorsSaved)
                self.ignore(Forward)

    def tensors_saved(self, event: TensorsSaved) -> None:
        self._compare()

    def run_end(self, event: RunEnd) -> None:
        self._compare()

    def _compare(self) -> None:
        for each in self.tied:
            weight = each.weight()
            with unwatched():
                merged = weight is not None and not torch.equal(sample_of(weight), each.sample)
            if merged:
                self.tied = []
                self.report(say("merged-into-both", adapted=each.adapted, other=each.other))
                return


def _adapted_ties(root: Module) -> Iterator[Tied]:
    owners: dict[int, list[str]] = {}
    weights: dict[int, Tensor] = {}
    for path, module in root.named_modules():
        for parameter in module._parameters.values():
            if parameter is not None and not parameter.requires_grad and parameter.dim() == 2:
                owners.setdefault(id(parameter), []).append(path)
                weights[id(parameter)] = parameter
    for key, paths in owners.items():
        adapted = (
            [path for path in paths if _has_adapter(root, path, key)] if len(paths) == 2 else []
        )
        if len(adapted) == 1:
            other = paths[1 - paths.index(adapted[0])]
            weight = weights[key]
            yield Tied(ref(weight), adapted[0].rpartition(".")[0], other, sample_of(weight))


def _has_adapter(root: Module, path: str, key: int) -> bool:
    """Whether the module around a layer has this frozen weight alone, and parameters that are trained."""
    around = root.get_submodule(path.rpartition(".")[0])
    inside = list(around.parameters())
    frozen = {id(p) for p in inside if not p.requires_grad and p.dim() == 2}
    return bool(path) and frozen == {key} and any(p.requires_grad for p in inside)
