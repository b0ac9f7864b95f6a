"""Folds with early stopping on copied weights, each interrupted once and resumed from a whole checkpoint."""

import copy
import os
import tempfile

import torch
from digest import show
from sklearn.datasets import load_wine
from sklearn.model_selection import KFold
from torch import nn
from torch.nn import functional as F


class Run:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 3))
        self.optimizer = torch.optim.Adam(self.model.parameters(), 2e-3)
        self.schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, patience=2)
        self.best, self.kept, self.waited, self.epoch = float("inf"), None, 0, 0

    def parts(self):
        return {"model": self.model, "optimizer": self.optimizer, "schedule": self.schedule}

    def save(self, path):
        state = {name: part.state_dict() for name, part in self.parts().items()}
        told = {"best": self.best, "kept": self.kept, "waited": self.waited, "epoch": self.epoch}
        torch.save({**state, "told": told, "random": torch.get_rng_state()}, path)

    def load(self, path):
        state = torch.load(path)
        for name, part in self.parts().items():
            part.load_state_dict(state[name])
        vars(self).update(state["told"])
        torch.set_rng_state(state["random"])

    def go(self, seen, held, until):
        while self.epoch < until and self.waited < 4:
            self.model.train()
            for part in torch.randperm(len(seen[0])).split(32):
                self.optimizer.zero_grad()
                F.cross_entropy(self.model(seen[0][part]), seen[1][part]).backward()
                self.optimizer.step()
            self.model.eval()
            with torch.no_grad():
                loss = F.cross_entropy(self.model(held[0]), held[1]).item()
            self.schedule.step(loss)
            self.waited += 1
            if loss < self.best:
                self.best, self.waited = loss, 0
                self.kept = copy.deepcopy(self.model.state_dict())
            self.epoch += 1


torch.manual_seed(0)
x, y = (torch.tensor(part) for part in load_wine(return_X_y=True))
x = ((x - x.mean(0)) / x.std(0)).float()
models = []
for mine, theirs in KFold(3, shuffle=True, random_state=0).split(x):
    seen, held = (x[mine], y[mine]), (x[theirs], y[theirs])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "last.pt")
        first = Run()
        first.go(seen, held, 6)
        first.save(path)
        run = Run()
        run.load(path)
    run.go(seen, held, 14)
    run.model.load_state_dict(run.kept)
    print(run.epoch, f"{run.best:.4f}")
    models.append(run.model)
show(*models)
