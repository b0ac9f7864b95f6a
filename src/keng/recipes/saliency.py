"""See which pixels of an input move the loss, as a picture.

The gradient of the loss with respect to the pixels, absolute, summed over channels and scaled by a
percentile. Trains a small network on digits, and writes the worst understood ones beside their maps to
saliency.png.

Needs keng, pillow and scikit-learn.

Avoids: graph-cut-by-conversion, eval-mode-missing
"""

import torch
from PIL import Image
from sklearn.datasets import load_digits
from torch import Tensor, nn
from torch.nn import functional as F

from keng.toolbox import saliency

STEPS = 40
SHOWN = 6
ENLARGED = 16


def train(model: nn.Module, images: Tensor, labels: Tensor) -> None:
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss()
    model.train()
    for _ in range(STEPS):
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        optimizer.step()


@torch.no_grad()
def worst(model: nn.Module, images: Tensor, labels: Tensor) -> Tensor:
    """The numbers of the images with the largest loss."""
    model.eval()
    losses = F.cross_entropy(model(images), labels, reduction="none")
    return losses.topk(SHOWN).indices


def main() -> None:
    torch.manual_seed(0)
    digits = load_digits()
    images = torch.tensor(digits.images[:512], dtype=torch.float32).unsqueeze(1) / 16
    labels = torch.tensor(digits.target[:512])
    model = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(16 * 4 * 4, 10),
    )
    train(model, images, labels)

    chosen = worst(model, images, labels)
    maps = saliency(model, images[chosen], labels[chosen])  # (N, 8, 8), uint8
    pictures = (images[chosen, 0] * 255).round().to(torch.uint8)
    sheet = torch.cat([torch.cat(list(pictures), dim=1), torch.cat(list(maps), dim=1)])
    width, height = sheet.shape[1] * ENLARGED, sheet.shape[0] * ENLARGED
    enlarged = Image.fromarray(sheet.numpy()).resize((width, height), Image.Resampling.NEAREST)
    enlarged.save("saliency.png")
    print(f"saliency.png: digits {labels[chosen].tolist()}, and below them what moves their loss")


if __name__ == "__main__":
    main()
