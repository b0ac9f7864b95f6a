"""Noise is added and guessed; an average of the weights samples."""

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


class Denoiser(nn.Module):
    def __init__(self, steps):
        super().__init__()
        self.time = nn.Embedding(steps, 8)
        self.net = nn.Sequential(nn.Linear(2 + 8, 32), nn.SiLU(), nn.Linear(32, 2))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], dim=1))


torch.manual_seed(0)
steps = 10
alphas = torch.cumprod(1 - torch.linspace(1e-3, 0.2, steps), dim=0)
model = Denoiser(steps)
average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.99))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 5))
for step in range(20):
    x = torch.randn(32, 2) * 0.2 + 1
    t = torch.randint(steps, (32,))
    noise, kept = torch.randn_like(x), alphas[t].unsqueeze(1)
    guess = model(kept.sqrt() * x + (1 - kept).sqrt() * noise, t)
    loss = nn.functional.mse_loss(guess, noise)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    warmup.step()
    average.update_parameters(model)
average.eval()
with torch.no_grad():
    x = torch.randn(8, 2)
    for t in reversed(range(steps)):
        x = x - 0.1 * average(x, torch.full((8,), t))
