"""A loop by hand under Fabric."""

import digest
import lightning.pytorch as pl
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

pl.seed_everything(0, verbose=False)
draw = torch.Generator().manual_seed(0)
x = torch.randn(256, 8, generator=draw)
y = (x[:, :3].sum(1) > 0).long() + (x[:, 3] > 0.5).long()
train = DataLoader(TensorDataset(x[:192], y[:192]), batch_size=32, shuffle=True, generator=draw)
held = DataLoader(TensorDataset(x[192:], y[192:]), batch_size=32)
QUIET = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False,
         "enable_model_summary": False, "accelerator": "cpu"}

from lightning.fabric import Fabric

fabric = Fabric(accelerator="cpu", devices=1)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
model, optimizer = fabric.setup(model, optimizer)
loader = fabric.setup_dataloaders(train)
for epoch in range(3):
    model.train()
    for step, (inputs, labels) in enumerate(loader):
        accumulates = step % 2 == 0
        with fabric.no_backward_sync(model, enabled=accumulates):
            fabric.backward(F.cross_entropy(model(inputs), labels) / 2)
        if not accumulates:
            fabric.clip_gradients(model, optimizer, max_norm=1.0)
            optimizer.step()
            optimizer.zero_grad()
    model.eval()
    with torch.no_grad():
        right = sum(int((model(inputs).argmax(1) == labels).sum()) for inputs, labels in held)
    print(epoch, right / 64)
digest.show(model)
