"""States that are loaded into modules, and checkpoints that are read."""

from __future__ import annotations

import os
from typing import Any

import torch

from keng.run.bus import Recorder
from keng.run.moments import LoadedState, ReadCheckpoint
from keng.run.recorders.plain import ForwardFacts
from keng.run.state import Facts, tensors_in
from keng.run.value_uses import is_discarded


class Loading(Recorder):
    makes = ("state.loaded", "checkpoint.read")

    def state_loaded(self, module: Any, strict: bool, result: Any) -> None:
        missing = set(getattr(result, "missing_keys", ()))
        unexpected = list(getattr(result, "unexpected_keys", ()))
        names = module.state_dict().keys()
        moment = LoadedState(
            self.scene.step,
            ForwardFacts(self.scene, module),
            strict,
            loaded=sum(name not in missing for name in names),
            total=len(names),
            unexpected=len(unexpected),
            ignored=is_discarded(),
            example=unexpected[0] if unexpected else "",
        )
        self.scene.show("state.loaded", moment)

    def checkpoint(self, mapped: bool, result: Any) -> None:
        devices = tuple(sorted({str(tensor.device) for tensor in tensors_in(result)}))
        own = f"cuda:{torch.cuda.current_device()}" if torch.cuda.is_available() else "cpu"
        rank, ranks = (int(os.environ.get(n, d)) for n, d in (("RANK", "0"), ("WORLD_SIZE", "1")))
        moment = ReadCheckpoint(self.scene.step, Facts(), mapped, devices, rank, ranks, own)
        self.scene.show("checkpoint.read", moment)
