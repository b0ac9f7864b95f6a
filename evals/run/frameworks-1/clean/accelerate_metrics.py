"""Gathers predictions for the accuracy of all samples."""

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



accelerator = Accelerator(cpu=True)
model = classifier()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
model, optimizer, train, held = accelerator.prepare(model, optimizer, train, held)
for epoch in range(3):
    model.train()
    for inputs, labels in train:
        optimizer.zero_grad()
        accelerator.backward(F.cross_entropy(model(inputs), labels))
        optimizer.step()
    model.eval()
    right = count = 0
    for inputs, labels in held:
        with torch.no_grad():
            scores = model(inputs)
        guesses, truth = accelerator.gather_for_metrics((scores.argmax(1), labels))
        right += int((guesses == truth).sum())
        count += len(truth)
    accelerator.print(epoch, right / count)
digest.show(accelerator.unwrap_model(model))
