"""A focal loss of the user's own gives probabilities to cross-entropy."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0):
        super().__init__()
        self.gamma = gamma

    def forward(self, logits, labels):
        probs = logits.softmax(-1)
        each = F.cross_entropy(probs, labels, reduction="none")  # run: softmax-before-cross-entropy
        sure = probs.gather(1, labels.unsqueeze(1)).squeeze(1)
        return ((1 - sure) ** self.gamma * each).mean()


def epochs(count):
    for epoch in range(count):
        for part in torch.randperm(len(x)).chunk(20):
            yield epoch, x[part], y[part]


torch.manual_seed(0)
x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x).float() / 16, torch.tensor(y)
model, focal = nn.Sequential(nn.Linear(64, 32), nn.Mish(), nn.Linear(32, 10)), FocalLoss()
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.02)
for _epoch, rows, labels in epochs(3):
    loss = focal(model(rows), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
show(model)
