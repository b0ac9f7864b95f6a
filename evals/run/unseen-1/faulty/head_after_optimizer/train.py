"""The head is replaced after the optimizer was made."""

import torch
from digest import show
from sklearn.datasets import load_digits

from .engine import fit
from .model import Backbone


def batches():
    data = load_digits()
    x, y = torch.tensor(data.data / 16, dtype=torch.float32), torch.tensor(data.target)
    for part in torch.randperm(len(x)).split(128):
        yield x[part], y[part]


def main():
    torch.manual_seed(3)
    model = Backbone()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    model.adapt(10)
    print(f"last loss {fit(model, optimizer, batches, 3):.4f}")
    show(model)


if __name__ == "__main__":
    main()
