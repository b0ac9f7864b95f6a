"""Two models, two optimizers, noise."""

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
maker = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 8))
judge = nn.Sequential(nn.Linear(8, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
makers = torch.optim.Adam(maker.parameters(), lr=1e-3, betas=(0.5, 0.999))
judges = torch.optim.Adam(judge.parameters(), lr=1e-3, betas=(0.5, 0.999))
maker, judge, makers, judges, train = accelerator.prepare(maker, judge, makers, judges, train)
for epoch in range(4):
    for real, _ in train:
        made = maker(torch.randn(len(real), 4))
        judges.zero_grad()
        true, false = judge(real), judge(made.detach())
        loss = F.binary_cross_entropy_with_logits(true, torch.ones_like(true))
        accelerator.backward(loss + F.binary_cross_entropy_with_logits(false, torch.zeros_like(false)))
        judges.step()
        makers.zero_grad()
        scores = judge(made)
        loss = F.binary_cross_entropy_with_logits(scores, torch.ones_like(scores))
        accelerator.backward(loss)
        makers.step()
    accelerator.print(epoch, round(loss.item(), 4))
digest.show(maker, judge)
