"""Two views through one encoder, one side of which is detached on purpose."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


class SimSiam(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 32)
        )
        self.predictor = nn.Sequential(nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 32))

    def forward(self, one, two):
        codes = self.encoder(one), self.encoder(two)
        guesses = [self.predictor(code) for code in codes]
        return sum(
            -F.cosine_similarity(guess, code.detach()).mean() / 2
            for guess, code in zip(guesses, reversed(codes))
        )


torch.manual_seed(0)
images = torch.tensor(load_digits().data).float() / 16
model = SimSiam()
optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9, weight_decay=1e-4)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=60)
for epoch in range(4):
    for part in torch.randperm(1500).split(100):
        one, two = (images[part] + 0.1 * torch.randn(len(part), 64) for _ in range(2))
        loss = model(one, two)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    print(f"{loss.item():.4f}")
model.eval()
with torch.no_grad():
    print(f"{model.encoder(images[:200]).std(0).mean().item():.4f}")
show(model)
