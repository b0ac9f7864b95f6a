from __future__ import annotations

from pathlib import Path

import torch

from . import dist


class Saver:
    def __init__(self, folder: str, **parts):
        self.path = Path(folder) / "last.pt"
        self.parts = parts

    @dist.rank_zero
    def save(self, epoch: int) -> None:
        state = {name: part.state_dict() for name, part in self.parts.items()}
        temporary = self.path.with_suffix(".tmp")
        torch.save({**state, "epoch": epoch}, temporary)
        temporary.replace(self.path)

    def load(self) -> int:
        if not self.path.exists():
            return 0
        state = torch.load(self.path, map_location=f"cuda:{dist.local_rank()}")
        for name, part in self.parts.items():
            part.load_state_dict(state[name])
        return state["epoch"] + 1
