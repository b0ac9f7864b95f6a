"""Change the channels of a trained model: another kind of input, more or fewer outputs.

The first convolution takes three channels where it took one, and gives 24 where it gave 16, its batch
norm follows, and the next layer too; the head gets other classes. What can stay, stays. The part that
was not touched is frozen for the first steps. The optimizer is made after the surgery.

Needs keng and scikit-learn.

Avoids: layer-size-mismatch, parameters-not-optimized
"""

import torch
from sklearn.datasets import load_digits
from torch import Tensor, nn

from keng.toolbox import adapt_channels, freeze

STEPS = 20


def network() -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1, bias=False),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1, bias=False),
        nn.BatchNorm2d(32),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(2),
        nn.Flatten(),
        nn.Linear(32 * 2 * 2, 10),
    )


def train(model: nn.Module, images: Tensor, labels: Tensor) -> float:
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.Adam(learned, lr=3e-3)
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
    grey = torch.tensor(digits.images[:512], dtype=torch.float32).unsqueeze(1) / 16
    labels = torch.tensor(digits.target[:512])
    model = network()
    print(f"one channel, ten classes: loss {train(model, grey, labels):.3f}")

    # The mean of the old weights over all new inputs: a grey picture in three equal channels gives
    # what it gave before. New outputs begin as in a fresh layer.
    model[0] = adapt_channels(model[0], inputs=3, outputs=24, average=True)
    model[1] = adapt_channels(model[1], outputs=24)
    model[4] = adapt_channels(model[4], inputs=24)
    model[9] = adapt_channels(model[9], outputs=2)

    colour, odd = grey.expand(-1, 3, -1, -1), labels % 2
    untouched = freeze(model[5])  # parameters, mode and statistics of this batch norm
    print(f"three channels, odd or even, at first: loss {train(model, colour, odd):.3f}")
    untouched.remove()
    print(f"with all that learns: loss {train(model, colour, odd):.3f}")


if __name__ == "__main__":
    main()
