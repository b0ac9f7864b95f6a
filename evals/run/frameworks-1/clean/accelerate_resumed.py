"""Saves everything after two epochs, and loads it into new objects."""

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



import tempfile

where = tempfile.mkdtemp()


def run(epochs, load):
    accelerator = Accelerator(cpu=True)
    model = classifier()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
    model, optimizer, loader = accelerator.prepare(model, optimizer, train)
    accelerator.register_for_checkpointing(schedule)
    if load:
        accelerator.load_state(where)
    model.train()
    for epoch in range(epochs):
        for inputs, labels in loader:
            optimizer.zero_grad()
            accelerator.backward(F.cross_entropy(model(inputs), labels))
            optimizer.step()
        schedule.step()
    accelerator.save_state(where)
    return accelerator.unwrap_model(model)


digest.show(run(2, load=False))
digest.show(run(2, load=True))
