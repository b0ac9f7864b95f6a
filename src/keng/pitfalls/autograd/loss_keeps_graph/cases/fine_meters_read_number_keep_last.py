# meters that read the number, keep only the last value, or are cleared in each round
import torch
from torch import nn


class Meter:
    def __init__(self):
        self.last, self.sum, self.total, self.seen = None, 0.0, 0.0, []

    def number(self, value):
        if isinstance(value, torch.Tensor):
            value = value.item()
        self.sum += value

    def update(self, value):
        self.last = value
        with torch.no_grad():
            self.total += value

    def collect(self, value):
        self.seen.append(value)

    def flush(self):
        mean = torch.stack(self.seen).mean().item()
        self.seen = []
        return mean


model, meter = nn.Linear(8, 1), Meter()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(40):
    loss = model(torch.randn(16, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    meter.number(loss)
    meter.update(loss)
    meter.collect(loss)
    shown = meter.flush()
