"""Prune a network: the smallest weights become zero, wherever they are, and it learns on without them.

The masks of `torch.nn.utils.prune` hold while it learns; at the end they are made permanent, and the
sparsity that was reached is counted. Zeros save nothing by themselves: see channel-report for channels
that can be taken out.

Needs keng and scikit-learn.

Avoids: eval-mode-missing
"""

import torch
from sklearn.datasets import load_digits
from torch import Tensor, nn
from torch.nn.utils import prune

from keng.toolbox import prune_global

STEPS = 60
SPARSITY = 0.8


def train(model: nn.Module, images: Tensor, labels: Tensor) -> None:
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss()
    model.train()
    for _ in range(STEPS):
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        optimizer.step()


@torch.no_grad()
def accuracy(model: nn.Module, images: Tensor, labels: Tensor) -> float:
    model.eval()
    return (model(images).argmax(dim=1) == labels).float().mean().item()


def main() -> None:
    torch.manual_seed(0)
    digits = load_digits()
    images = torch.tensor(digits.data, dtype=torch.float32) / 16
    labels = torch.tensor(digits.target)
    model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
    train(model, images, labels)
    print(f"dense: accuracy {accuracy(model, images, labels):.1%}")

    print(prune_global(model, SPARSITY))
    print(f"pruned: accuracy {accuracy(model, images, labels):.1%}")

    # To learn on, the zeros have to be held: masks of what is zero now.
    layers = [model[0], model[2]]
    for layer in layers:
        prune.custom_from_mask(layer, "weight", layer.weight != 0)
    train(model, images, labels)
    for layer in layers:
        prune.remove(layer, "weight")
    zeros = sum(int((layer.weight == 0).sum()) for layer in layers)
    total = sum(layer.weight.numel() for layer in layers)
    print(
        f"after learning on: accuracy {accuracy(model, images, labels):.1%}, {zeros / total:.1%} zero"
    )


if __name__ == "__main__":
    main()
