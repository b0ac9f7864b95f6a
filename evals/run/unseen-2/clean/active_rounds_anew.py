"""Active learning: a new model and a new optimizer each round, labels asked for by votes under dropout."""

import torch
from digest import show
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Subset, TensorDataset


class Round:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(30, 32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, 2))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), 5e-3)

    def fit(self, rows, epochs=6):
        self.model.train()
        for _ in range(epochs):
            for x, y in DataLoader(rows, batch_size=16, shuffle=True):
                self.optimizer.zero_grad()
                loss = F.cross_entropy(self.model(x), y)
                loss.backward()
                self.optimizer.step()

    @torch.no_grad()
    def unsure(self, x, votes=8):
        """Monte Carlo dropout: it stays on to ask."""
        self.model.train()
        chances = torch.stack([self.model(x).softmax(1) for _ in range(votes)])
        return chances.var(0).sum(1)

    @torch.no_grad()
    def score(self, x, y):
        self.model.eval()
        return (self.model(x).argmax(1) == y).float().mean().item()


torch.manual_seed(0)
x, y = (torch.tensor(part) for part in load_breast_cancer(return_X_y=True))
x = ((x - x.mean(0)) / x.std(0)).float()
rows = TensorDataset(x, y)
known = torch.randperm(len(x))[:40].tolist()
for _ in range(4):
    turn = Round()
    turn.fit(Subset(rows, known))
    print(len(known), f"{turn.score(x, y):.3f}")
    asked = turn.unsure(x)
    asked[known] = -1
    known += asked.topk(20).indices.tolist()
show(turn.model)
