"""A trainer that always clears before backward, also while it accumulates; after HorizonRobotics/alf pull 1788."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Algorithm:
    def __init__(self, model, optimizer, accumulate):
        self.model, self.optimizer, self.accumulate = model, optimizer, accumulate
        self.count = 0

    def update(self, loss):
        if self.count % self.accumulate == 0:
            self.optimizer.zero_grad()
        (loss / self.accumulate).backward()
        self.count += 1
        if self.count % self.accumulate == 0:
            nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            self.optimizer.step()


torch.manual_seed(1)
x = torch.randn(512, 10)
data = TensorDataset(x, x[:, :3].argmax(1))
model = nn.Sequential(nn.Linear(10, 48), nn.Tanh(), nn.Linear(48, 3))
algorithm = Algorithm(model, torch.optim.Adam(model.parameters(), lr=2e-3), accumulate=4)
for epoch in range(4):
    total = 0.0
    for inputs, labels in DataLoader(data, batch_size=16, shuffle=True):
        loss = nn.functional.cross_entropy(model(inputs), labels)
        algorithm.update(loss)
        total += loss.item()
    print(f"epoch {epoch}: {total / 32:.4f}")
show(model)
