"""Accumulates, clips where gradients are complete, steps a schedule with the optimizer."""

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



accelerator = Accelerator(cpu=True, gradient_accumulation_steps=3)
model = classifier()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4 * 2)
model, optimizer, train, schedule = accelerator.prepare(model, optimizer, train, schedule)
for epoch in range(4):
    for inputs, labels in train:
        with accelerator.accumulate(model):
            loss = F.cross_entropy(model(inputs), labels)
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
    accelerator.print(epoch, round(loss.item(), 4))
digest.show(accelerator.unwrap_model(model))
