from pathlib import Path

import torch


class Checkpointer:
    def __init__(self, folder, model, optimizer, scheduler):
        self.folder = Path(folder)
        self.parts = {"model": model, "optimizer": optimizer, "scheduler": scheduler}

    def save(self, epoch):
        state = {name: part.state_dict() for name, part in self.parts.items()}
        state["epoch"] = epoch
        torch.save(state, self.folder / "last.pt")  # check: saved-on-every-rank

    def resume(self):
        path = self.folder / "last.pt"
        if not path.exists():
            return 0
        state = torch.load(path)  # check: map-location-missing
        for name, part in self.parts.items():
            part.load_state_dict(state[name])
        return state["epoch"] + 1
