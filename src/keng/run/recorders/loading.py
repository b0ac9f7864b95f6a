"""States that are loaded into modules, and checkpoints that are read."""

from __future__ import annotations

import os

import torch

from keng.run.events import CheckpointLoaded, StateLoaded
from keng.run.moments import LoadedState, ReadCheckpoint
from keng.run.recorder import Recorder
from keng.run.recorders.plain import ForwardFacts
from keng.run.state import Facts, tensors_in
from keng.run.value_uses import is_discarded


class Loading(Recorder):
    provides = ("state.loaded", "checkpoint.read")

    def state_loaded(self, event: StateLoaded) -> None:
        missing = set(getattr(event.result, "missing_keys", ()))
        unexpected = list(getattr(event.result, "unexpected_keys", ()))
        names = event.module.state_dict().keys()
        moment = LoadedState(
            self.run.step,
            ForwardFacts(self.run, event.module),
            event.strict,
            loaded=sum(name not in missing for name in names),
            total=len(names),
            unexpected=len(unexpected),
            ignored=is_discarded(),
            example=unexpected[0] if unexpected else "",
        )
        self.run.show("state.loaded", moment)

    def checkpoint_loaded(self, event: CheckpointLoaded) -> None:
        devices = tuple(sorted({str(tensor.device) for tensor in tensors_in(event.result)}))
        own = f"cuda:{torch.cuda.current_device()}" if torch.cuda.is_available() else "cpu"
        rank, ranks = (int(os.environ.get(n, d)) for n, d in (("RANK", "0"), ("WORLD_SIZE", "1")))
        moment = ReadCheckpoint(self.run.step, Facts(), event.mapped, devices, rank, ranks, own)
        self.run.show("checkpoint.read", moment)
