"""Diffusion on a 2-d spiral."""
import copy

import torch
import torch.nn as nn

T = 100


class Schedule(nn.Module):
    def __init__(self):
        super().__init__()
        beta = torch.linspace(1e-4, 0.02, T)
        self.beta = beta  # check: module-not-registered
        self.register_buffer('alpha_bar', torch.cumprod(1 - beta, 0))

    def noise(self, x, t, eps):
        ab = self.alpha_bar[t].unsqueeze(1)
        return ab.sqrt() * x + (1 - ab).sqrt() * eps


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Embedding(T, 32)
        self.net = nn.Sequential(nn.Linear(34, 64), nn.SiLU(), nn.Linear(64, 2))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], dim=1))


def ema_update(avg, model, decay=0.99):
    for a, b in zip(avg.parameters(), model.parameters()):
        a.data = decay * a.data + (1 - decay) * b.data


@torch.no_grad()
def generate(model, sched, n):
    x = torch.randn(n, 2)
    for t in reversed(range(T)):
        tt = torch.full((n,), t)
        eps = model(x, tt)
        b = sched.beta[t]
        x = (x - b / (1 - sched.alpha_bar[t]).sqrt() * eps) / (1 - b).sqrt()
        if t > 0:
            x = x + b.sqrt() * torch.randn_like(x)
    x.clamp(-3, 3)  # check: tensor-result-discarded
    return x


def main():
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    sched = Schedule().to(device)
    model = Denoiser().to(device)
    avg = copy.deepcopy(model)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    r = torch.linspace(0, 6, 1000)
    data = torch.stack([r.cos() * r / 6, r.sin() * r / 6], 1)
    log = []
    for it in range(200):
        x = data[torch.randint(0, 1000, (64,))].to(device)
        t = torch.randint(0, T, (64,), device=device)
        eps = torch.randn_like(x)
        loss = ((model(sched.noise(x, t, eps), t) - eps) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema_update(avg, model)
        log += [loss]  # check: loss-keeps-graph
    print(generate(avg, sched, 8))


main()
