"""Gradients are cleared in the branch for float32 and not in that for bfloat16, after facebookresearch/nwm issue 16."""

import torch
from digest import show
from torch import nn

torch.manual_seed(7)
bfloat_enable = True


class Predictor(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(16, 48), nn.SiLU(), nn.Linear(48, 48))
        self.time = nn.Linear(1, 48)
        self.head = nn.Linear(48, 16)

    def forward(self, x, t):
        return self.head(torch.nn.functional.silu(self.encoder(x) + self.time(t)))


model = Predictor()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0)
data = torch.randn(256, 16).cumsum(1)


def train_step(x):
    t = torch.rand(len(x), 1)
    noise = torch.randn_like(x)
    with torch.amp.autocast("cpu", enabled=bfloat_enable, dtype=torch.bfloat16):
        out = model(x * (1 - t) + noise * t, t)
        loss = nn.functional.mse_loss(out.float(), noise - x)
    if not bfloat_enable:
        opt.zero_grad()
        loss.backward()
        opt.step()
    else:
        loss.backward()  # run: zero-grad-missing
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        opt.step()
    return loss.detach()


for epoch in range(10):
    total = sum(train_step(data[i]) for i in torch.randperm(256).split(32))
    print(epoch, (total / 8).item())
show(model)
