"""MAML by torch.func, its weights averaged, with per-sample gradients to look at."""
import argparse
import copy
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap


@dataclass
class Config:
    inner_lr: float = 0.01
    outer_lr: float = 1e-3
    inner_steps: int = 3
    tasks: int = 8
    decay: float = 0.99
    widths: list[int] = field(default_factory=lambda: [1, 40, 40, 1])


class Mlp(nn.Module):
    def __init__(self, widths):
        super().__init__()
        layers = []
        for a, b in zip(widths, widths[1:]):
            layers += [nn.Linear(a, b), nn.ReLU()]
        self.net = nn.Sequential(*layers[:-1])

    def forward(self, x):
        return self.net(x)


class Average:
    def __init__(self, model, decay):
        self.model = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for mine, theirs in zip(self.model.parameters(), model.parameters()):
            mine.lerp_(theirs, 1 - self.decay)
        for mine, theirs in zip(self.model.buffers(), model.buffers()):
            mine.copy_(theirs)


def sine(generator, n=20):
    amplitude = torch.rand(1, generator=generator) * 4 + 1
    x = torch.rand(n, 1, generator=generator) * 10 - 5
    return x, amplitude * torch.sin(x)


def adapted(model, x, y, cfg, create_graph=True):
    params = dict(model.named_parameters())
    for _ in range(cfg.inner_steps):
        loss = F.mse_loss(functional_call(model, params, (x,)), y)
        grads = torch.autograd.grad(loss, list(params.values()), create_graph=create_graph)
        params = {name: p - cfg.inner_lr * g for (name, p), g in zip(params.items(), grads)}
    return params


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    cfg = Config()
    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    model = Mlp(cfg.widths)
    average = Average(model, cfg.decay)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.outer_lr)
    history = []
    for iteration in range(args.iterations):
        optimizer.zero_grad()
        total = 0
        for _ in range(cfg.tasks):
            x, y = sine(generator)
            fast = adapted(model, x[:10], y[:10], cfg)
            total += F.mse_loss(functional_call(model, fast, (x[10:],)), y[10:])
        (total / cfg.tasks).backward()
        optimizer.step()
        average.update(model)
        history.append(total.detach() / cfg.tasks)
        if iteration % 100 == 0:
            x, y = sine(generator)
            fast = adapted(average.model.requires_grad_(True), x[:10], y[:10], cfg, create_graph=False)
            with torch.no_grad():
                print(iteration, F.mse_loss(functional_call(average.model, fast, (x[10:],)), y[10:]).item())
            average.model.requires_grad_(False)

    def one(params, x, y):
        return F.mse_loss(functional_call(model, params, (x[None],)), y[None])

    x, y = sine(generator)
    params = {name: p.detach() for name, p in model.named_parameters()}
    each = vmap(grad(one), (None, 0, 0))(params, x, y)
    print({name: g.flatten(1).norm(dim=1).mean().item() for name, g in each.items()}, torch.stack(history).mean().item())


if __name__ == "__main__":
    main()
