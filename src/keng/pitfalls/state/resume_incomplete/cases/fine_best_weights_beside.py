# the run resumes from a file with the optimizer; the file of the best weights has its epoch as well
import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.model = nn.Linear(4, 1)
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.epoch, self.best = 0, float("inf")

    def save_last(self):
        state = {"epoch": self.epoch, "model": self.model.state_dict()}
        torch.save({**state, "optimizer": self.optimizer.state_dict()}, "last.pt")

    def save_best(self, loss):
        if loss < self.best:
            self.best = loss
            torch.save({"model": self.model.state_dict(), "epoch": self.epoch}, "best.pt")

    def resume(self):
        state = torch.load("last.pt", weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.epoch = state["epoch"]

    def fit(self, until):
        while self.epoch < until:
            loss = self.model(torch.ones(8, 4)).square().mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.epoch += 1
            self.save_best(loss.item())
            self.save_last()


Trainer().fit(2)
resumed = Trainer()
resumed.resume()
resumed.fit(4)
best = torch.load("best.pt", weights_only=True)
resumed.model.load_state_dict(best["model"])
print(best["epoch"])
