"""Load a pretrained state into a model with another head or other channels, and know what was loaded.

By name and shape; what has another size is taken over where both have channels, and the report names
every tensor that was not loaded. `strict=False` alone would hide renamed layers, and still fail on sizes.

Needs keng and scikit-learn.

Avoids: state-keys-or-shapes-differ, strict-false-hides, state-prefix, map-location-missing
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from sklearn.datasets import load_digits
from torch import Tensor, nn

from keng.toolbox import load_matching

STEPS = 25


class Net(nn.Module):
    def __init__(self, channels: int, classes: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, 16, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(16)
        self.head = nn.Linear(16 * 4 * 4, classes)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu(self.norm(self.conv(x)))
        return self.head(nn.functional.max_pool2d(x, 2).flatten(1))


def train(model: nn.Module, images: Tensor, labels: Tensor) -> float:
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss()
    model.train()
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
    return loss.item()


def main() -> None:
    torch.manual_seed(0)
    digits = load_digits()
    images = torch.tensor(digits.images[:512], dtype=torch.float32).unsqueeze(1) / 16
    labels = torch.tensor(digits.target[:512])
    pretrained = Net(channels=1, classes=10)
    print(f"pretrained: loss {train(pretrained, images, labels):.3f}")

    with TemporaryDirectory() as folder:
        file = Path(folder, "weights.pt")
        torch.save(pretrained.state_dict(), file)
        state = torch.load(file, map_location="cpu", weights_only=True)

    model = Net(channels=2, classes=12)
    report = load_matching(model, state, adapt=True)
    print(report)
    both = torch.cat([images, images.flip(3)], dim=1)
    print(f"fine-tuned: loss {train(model, both, labels):.3f}")


if __name__ == "__main__":
    main()
