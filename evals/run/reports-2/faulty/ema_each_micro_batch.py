"""Shadow weights in a run that accumulates, after SWivid/F5-TTS issue 631."""

import copy

import torch
from digest import show
from torch import nn


class EMA:
    def __init__(self, model, beta=0.95):
        self.shadow, self.beta = copy.deepcopy(model).requires_grad_(False), beta

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.mul_(self.beta).add_(p, alpha=1 - self.beta)


torch.manual_seed(3)
model = nn.Sequential(nn.Linear(12, 64), nn.GELU(), nn.Linear(64, 12))
ema = EMA(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
STEPS = 4
for micro in range(240):
    mel = torch.randn(16, 12).cumsum(1)
    loss = nn.functional.l1_loss(model(mel + 0.3 * torch.randn_like(mel)), mel) / STEPS
    loss.backward()
    if (micro + 1) % STEPS == 0:
        optimizer.step()
        optimizer.zero_grad()
    ema.update(model)  # run: average-updated-too-often
    if micro % 60 == 59:
        print(micro, f"{loss.item() * STEPS:.4f}")
show(model, ema.shadow)
