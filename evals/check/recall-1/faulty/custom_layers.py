import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, dim):
        self.dim = dim  # check: module-init-not-called
        self.gain = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x * self.gain


class Experts(nn.Module):
    def __init__(self, dim, n):
        super().__init__()
        self.gate = nn.Linear(dim, n)
        experts = []
        for _ in range(n):
            experts.append(nn.Linear(dim, dim))
        self.experts = experts  # check: module-not-registered

    def forward(self, x):
        w = self.gate(x).softmax(-1)
        ys = torch.stack([e(x) for e in self.experts], dim=-1)
        return (ys * w.unsqueeze(-2)).sum(-1)


def prompt_tuning(model, x, y, device='cuda'):
    prompt = torch.randn(1, 16, requires_grad=True).to(device)
    optimizer = torch.optim.Adam([prompt], lr=1e-2)  # check: nonleaf-optimized
    for _ in range(10):
        out = model(x + prompt)
        loss = nn.functional.mse_loss(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return prompt.detach()


class Regressor(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.moe = Experts(dim, 3)
        self.out = nn.Linear(dim, 1)
        self.bias = torch.zeros(1)

    def forward(self, x):
        h = self.moe(x)
        h = torch.tensor(h)  # check: tensor-copied-by-constructor or graph-cut-by-conversion
        return self.out(h) + self.bias  # check: module-not-registered
