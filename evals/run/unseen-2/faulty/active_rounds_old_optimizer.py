"""Each round of active learning starts a new model, and the optimizer stays that of the first."""

import torch
from digest import show
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


def fresh():
    return nn.Sequential(nn.Linear(30, 32), nn.ReLU(), nn.Linear(32, 2))


class Learner:
    def __init__(self, x, y, known):
        self.x, self.y = x, y
        self.known = torch.zeros(len(x), dtype=torch.bool)
        self.known[torch.randperm(len(x))[:known]] = True
        self.model = fresh()
        self.optimizer = torch.optim.Adam(self.model.parameters(), 5e-3)

    def fit(self, epochs=5):
        self.model.train()
        rows = TensorDataset(self.x[self.known], self.y[self.known])
        for _ in range(epochs):
            for x, y in DataLoader(rows, batch_size=16, shuffle=True):
                self.optimizer.zero_grad()
                F.cross_entropy(
                    self.model(x), y
                ).backward()  # run: parameters-not-optimized or step-not-taken
                self.optimizer.step()  # run: parameters-not-optimized or step-not-taken

    @torch.no_grad()
    def ask(self, count):
        self.model.eval()
        chances = self.model(self.x).softmax(1)
        unsure = -(chances * chances.clamp_min(1e-9).log()).sum(1)
        unsure[self.known] = -1
        self.known[unsure.topk(count).indices] = True
        return (chances.argmax(1) == self.y).float().mean().item()

    def restart(self):
        self.model = fresh()  # run: parameters-not-optimized or step-not-taken


torch.manual_seed(0)
x, y = (torch.tensor(part) for part in load_breast_cancer(return_X_y=True))
learner = Learner(((x - x.mean(0)) / x.std(0)).float(), y, 40)
for _ in range(4):
    learner.fit()
    print(f"{learner.ask(20):.3f}")
    learner.restart()
show(learner.model)
