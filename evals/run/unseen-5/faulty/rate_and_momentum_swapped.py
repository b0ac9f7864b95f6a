"""The configuration's rate and momentum reach the optimizer in each other's place."""

from dataclasses import dataclass

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    lr: float = 0.01
    momentum: float = 0.9
    batch_size: int = 32
    epochs: int = 3


def make_optimizer(params, momentum, lr):
    return torch.optim.SGD(params, lr=lr, momentum=momentum)


def main(cfg):
    torch.manual_seed(0)
    digits = load_digits()
    data = TensorDataset(torch.tensor(digits.data).float(), torch.tensor(digits.target))
    loader = DataLoader(data, cfg.batch_size, shuffle=True)
    model = nn.Sequential(
        nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10)
    )
    optimizer = make_optimizer(
        model.parameters(), cfg.lr, cfg.momentum
    )  # run: gradients-explode-or-vanish or nan-loss
    for epoch in range(cfg.epochs):
        for x, y in loader:
            optimizer.zero_grad()
            out = model(x)  # run: gradients-explode-or-vanish or nan-loss
            loss = nn.functional.cross_entropy(out, y)  # run: gradients-explode-or-vanish or nan-loss
            loss.backward()  # run: gradients-explode-or-vanish or nan-loss
            optimizer.step()  # run: gradients-explode-or-vanish or nan-loss
        print(epoch, f"{loss.item():.3f}")
    show(model)


main(Config())
