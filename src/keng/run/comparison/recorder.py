"""Runs the forwards of one step another way as well, on copies, before the program runs them."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from keng.run.bus import taps_shut
from keng.run.comparison.compiled import compare_compiled
from keng.run.comparison.isolated import Both, Compared, compared
from keng.run.comparison.ranks import Unfit, both_ways, gathered, without_dropout
from keng.run.comparison.results import Asked, Comparison
from keng.run.comparison.single import Rounding, in_single
from keng.run.comparison.values import coarsest, kept
from keng.run.events import Forward, RunEnd
from keng.run.frames import here
from keng.run.probes.call import Call
from keng.run.probes.copies import NotCopied, check_apart, check_fits, copied, single, unwrapped
from keng.run.probes.nested import fresh
from keng.run.probes.neutral import unnoticed
from keng.run.recorder import Recorder
from keng.run.state import RunState

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


class ComparedStep(Recorder):
    """Compares the first training forward of each model in one step."""

    def __init__(self, run: RunState, asked: Asked) -> None:
        super().__init__(run)
        self.asked = asked
        self.done: list[Module] = []

    def forward(self, event: Forward) -> None:
        if self.run.step < self.asked.step or not torch.is_grad_enabled():
            return
        if self.run.step > self.asked.step:
            self.ignore(Forward)
        elif event.module.training and all(event.module is not each for each in self.done):
            self.done.append(event.module)
            if any(True for _ in event.module.parameters()):
                self.asked.told(self._compared(event))

    def run_end(self, event: RunEnd) -> None:
        if not self.done:
            self.asked.told(Comparison(self.asked.way, self.asked.step, refused="step-not-reached"))

    def _compared(self, event: Forward) -> Comparison:
        about = Comparison(self.asked.way, self.run.step, self.run.module_name(event.module))
        try:
            with taps_shut():
                model = unwrapped(event.module)
                check_apart(model)
                check_fits(model)
                call = Call(model, event.args, event.kwargs)
                with unnoticed(model, plain=False):
                    found = self._found(call)
        except Unfit as error:
            return about._replace(refused=str(error))
        except NotCopied as error:
            return about._replace(refused="not-copied", detail=error.text.says())
        except Exception as error:
            first = (str(error).strip().splitlines() or [""])[0][:200]
            return about._replace(refused="raised", detail=f"{type(error).__name__}: {first}")
        differs = found.difference
        if differs is not None and differs.where is None:  # no line of the user's is in the model
            differs = differs._replace(where=here())
        return about._replace(values=found.values, largest=found.largest, difference=differs)

    def _found(self, call: Call) -> Compared:
        way, inputs = self.asked.way, (call.args, dict(call.kwargs))
        if way == "compile":
            return compare_compiled(call.model, inputs, _backend())
        if way == "one-rank":
            return self._ranks(call)
        both = on_cpu(call) if way == "cpu" else in_float32(call)
        return compared(both)

    def _ranks(self, call: Call) -> Compared:
        distributed = sys.modules.get("torch.distributed")
        if distributed is None or not distributed.is_initialized():
            raise Unfit("one-process")
        if distributed.get_world_size() == 1:
            raise Unfit("one-process")
        rank = distributed.get_rank()
        inputs = (call.args, dict(call.kwargs))
        everyone = gathered(inputs, f"{self.run.step}/{len(self.done)}")
        with without_dropout():
            both = both_ways(call, everyone, rank)
            if rank:
                both.run_program()  # its collectives are those of rank 0's
                raise Unfit("other-rank")
            return compared(both)


def in_float32(call: Call) -> Both:
    """Raises: Unfit where everything is in float32 already."""
    both = Both(
        program=lambda: copied(call.model),
        other=lambda: single(copied(call.model)),
        inputs=(call.args, dict(call.kwargs)),
        convert=lambda each: fresh(each).requires_grad_(each.requires_grad),
        context=in_single,
    )
    with Rounding() as inside:
        eps = max(coarsest(both.run_program()), inside.eps)
    if eps <= torch.finfo(torch.float32).eps and not _tf32(call.model):
        raise Unfit("already-float32")
    return replace(both, eps=eps)


def _tf32(model: Module) -> bool:
    """Whether products of float32 may be computed from fewer bits."""
    if all(each.device.type == "cpu" for each in model.parameters()):
        return False
    return torch.get_float32_matmul_precision() != "highest" or torch.backends.cudnn.allow_tf32


def on_cpu(call: Call) -> Both:
    """Raises: Unfit where the model is on the CPU already."""
    if all(each.device.type == "cpu" for each in call.model.parameters()):
        raise Unfit("already-cpu")

    def convert(tensor: Tensor) -> Tensor:
        return kept(tensor).detach().cpu().requires_grad_(tensor.requires_grad)

    return Both(
        program=lambda: copied(call.model),
        other=lambda: copied(call.model).cpu(),
        inputs=(call.args, dict(call.kwargs)),
        convert=convert,
    )


def _backend() -> str:
    """Inductor needs a compiler of C++ on the CPU; without one, what comes before it is compared."""
    return "inductor" if any(map(shutil.which, ("g++", "clang++", "c++"))) else "aot_eager"
