"""Seed everything, so that a run can be repeated to the last bit.

Python, NumPy, PyTorch on every device, the order of the samples, the workers of the loader, and
algorithms that add in the same order every time. Trains twice and compares.

Needs keng and scikit-learn.

Avoids: seed-incomplete, worker-seeds-repeat
"""

import random

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from keng.toolbox import seed

WORKERS = 2


class Noisy(Dataset):
    """Digits with noise from all three sources of random numbers."""

    def __init__(self) -> None:
        digits = load_digits()
        self.images = torch.tensor(digits.data[:256], dtype=torch.float32) / 16
        self.labels = torch.tensor(digits.target[:256])

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        brighter = random.uniform(0.8, 1.2)
        noise = np.random.normal(0, 0.1, 64).astype(np.float32)
        hidden = torch.rand(64) < 0.1
        image = self.images[index] * brighter + torch.from_numpy(noise)
        return image.masked_fill(hidden, 0), self.labels[index]


def train(number: int) -> Tensor:
    order = seed(number, deterministic=True)
    loader = DataLoader(Noisy(), 64, shuffle=True, num_workers=WORKERS, generator=order)
    model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
    return nn.utils.parameters_to_vector(model.parameters()).detach()


def main() -> None:
    first, again, other = train(0), train(0), train(1)
    print("the same seed, the same bits:", torch.equal(first, again))
    print("another seed, other bits:", not torch.equal(first, other))


if __name__ == "__main__":
    main()
