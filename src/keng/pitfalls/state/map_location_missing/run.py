"""A running program: a checkpoint is loaded onto the device that it was saved from."""

from __future__ import annotations

import os

import torch

from keng.model import say
from keng.run.events import CheckpointLoaded
from keng.run.recorder import Recorder
from keng.run.state import tensors_in


class LoadedCheckpoints(Recorder):
    needs = "cuda and several processes"

    def checkpoint_loaded(self, event: CheckpointLoaded) -> None:
        ranks = int(os.environ.get("WORLD_SIZE", "1"))
        if ranks < 2 or event.mapped or not torch.cuda.is_available():
            return
        own = f"cuda:{torch.cuda.current_device()}"
        devices = sorted({str(tensor.device) for tensor in tensors_in(event.result)})
        others = [name for name in devices if name.startswith("cuda") and name != own]
        if others:
            rank = int(os.environ.get("RANK", "0"))
            says = say("rank-loaded-elsewhere", rank=rank, own=own, other=others[0])
            self.report(says, rank=rank)
