"""Evaluates an exponential average of the weights."""

import digest
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

set_seed(0)
draw = torch.Generator().manual_seed(0)
x = torch.randn(256, 8, generator=draw)
y = (x[:, :3].sum(1) > 0).long() + (x[:, 3] > 0.5).long()
train = DataLoader(TensorDataset(x[:192], y[:192]), batch_size=32, shuffle=True)
held = DataLoader(TensorDataset(x[192:], y[192:]), batch_size=24)


def classifier():
    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 3))



from copy import deepcopy

accelerator = Accelerator(cpu=True)
model = classifier()
average = deepcopy(model).requires_grad_(False).eval()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
model, optimizer, train, held = accelerator.prepare(model, optimizer, train, held)
for epoch in range(4):
    model.train()
    for inputs, labels in train:
        optimizer.zero_grad()
        accelerator.backward(F.cross_entropy(model(inputs), labels))
        optimizer.step()
        with torch.no_grad():
            for mean, now in zip(average.parameters(), accelerator.unwrap_model(model).parameters()):
                mean.lerp_(now, 0.1)
    with torch.no_grad():
        right = sum(int((average(inputs).argmax(1) == labels).sum()) for inputs, labels in held)
    accelerator.print(epoch, right / 64)
digest.show(model, average)
