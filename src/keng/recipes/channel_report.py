"""Find the convolution channels that carry nothing, and take them out.

A report by layer of the channels whose mean weight is below a thousandth of the layer's largest, from a
model or from a checkpoint file; then a smaller network without them, that gives the same answers.

Needs keng and scikit-learn.

Avoids: channels-near-zero, map-location-missing
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from sklearn.datasets import load_digits
from torch import Tensor, nn

from keng.toolbox import channel_report

STEPS = 30
PENALTY = 4e-2


def network(width: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(1, width, 3, padding=1, bias=False),
        nn.ReLU(),
        nn.Conv2d(width, 16, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(2),
        nn.Flatten(),
        nn.Linear(16 * 2 * 2, 10),
    )


def train(model: nn.Sequential, images: Tensor, labels: Tensor) -> None:
    """With a penalty on each channel's length, and small channels cut to nothing as it goes
    (the proximal step of the group lasso)."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    criterion = nn.CrossEntropyLoss()
    model.train()
    for _ in range(STEPS):
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        optimizer.step()
        with torch.no_grad():
            length = model[0].weight.flatten(1).norm(dim=1).view(-1, 1, 1, 1)
            model[0].weight.mul_((1 - PENALTY / length.clamp_min(1e-12)).clamp_min(0))


def without(model: nn.Sequential, kept: list[int]) -> nn.Sequential:
    """The same network with these channels of its first layer alone."""
    state = dict(model.state_dict())
    state["0.weight"] = state["0.weight"][kept]
    state["2.weight"] = state["2.weight"][:, kept]
    smaller = network(len(kept))
    smaller.load_state_dict(state)
    return smaller


def main() -> None:
    torch.manual_seed(0)
    digits = load_digits()
    images = torch.tensor(digits.images[:512], dtype=torch.float32).unsqueeze(1) / 16
    model = network(32)
    train(model, images, torch.tensor(digits.target[:512]))

    with TemporaryDirectory() as folder:
        file = Path(folder, "weights.pt")
        torch.save(model.state_dict(), file)
        state = torch.load(file, map_location="cpu", weights_only=True)
    for layer in channel_report(state):
        print(layer)

    first = channel_report(model)[0]
    smaller = without(model, first.kept)
    with torch.no_grad():
        worst = (smaller.eval()(images) - model.eval()(images)).abs().max().item()
    print(f"{len(first.mean)} channels to {len(first.kept)}: outputs differ by {worst:.1e} at most")


if __name__ == "__main__":
    main()
