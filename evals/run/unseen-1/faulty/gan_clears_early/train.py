"""The generator's gradients are cleared before the critic's turn, which adds its own to them."""

import argparse

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn

from . import nets


def rounds(x, size, steps):
    for _ in range(steps):
        yield x[torch.randint(len(x), (size,))]


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=60)
    args = parser.parse_args(argv)
    torch.manual_seed(1)
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 8 - 1
    g, d = nets.generator(16, 64), nets.critic(64)
    opt_g = torch.optim.Adam(g.parameters(), 2e-4, betas=(0.5, 0.999))
    opt_d = torch.optim.Adam(d.parameters(), 2e-4, betas=(0.5, 0.999))
    bce = nn.BCEWithLogitsLoss()
    one, zero = torch.ones(32, 1), torch.zeros(32, 1)
    for real in rounds(x, 32, args.steps):
        opt_g.zero_grad()
        opt_d.zero_grad()
        fake = g(torch.randn(32, 16))
        loss_d = bce(d(real), one) + bce(d(fake), zero)  # run: gradient-leaks-into-frozen
        loss_d.backward(retain_graph=True)  # run: gradient-leaks-into-frozen
        opt_d.step()
        loss_g = bce(d(g(torch.randn(32, 16))), one)
        loss_g.backward()
        opt_g.step()
    print(f"{loss_d.item():.4f} {loss_g.item():.4f}")
    show(g, d)


if __name__ == "__main__":
    main()
