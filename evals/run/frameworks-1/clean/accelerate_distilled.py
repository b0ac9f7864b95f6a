"""A student of a teacher that does not learn."""

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
teacher = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 3))
warm = torch.optim.Adam(teacher.parameters(), lr=1e-2)
for _ in range(60):
    warm.zero_grad()
    F.cross_entropy(teacher(x[:192]), y[:192]).backward()
    warm.step()
teacher.eval().requires_grad_(False)
model = classifier()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
model, optimizer, train = accelerator.prepare(model, optimizer, train)
for epoch in range(3):
    model.train()
    for inputs, labels in train:
        scores = model(inputs)
        soft = F.softmax(teacher(inputs) / 2, dim=1)
        loss = F.kl_div(F.log_softmax(scores / 2, dim=1), soft, reduction="batchmean") * 4
        loss = 0.5 * loss + 0.5 * F.cross_entropy(scores, labels)
        optimizer.zero_grad()
        accelerator.backward(loss)
        optimizer.step()
    accelerator.print(epoch, round(loss.item(), 4))
digest.show(accelerator.unwrap_model(model), teacher)
