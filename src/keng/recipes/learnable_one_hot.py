"""A smooth one-hot vector whose centre and width are learned.

exp(-(x - c)^2 / (2 s^2)) over the classes, normalized. Centre and width are parameters and stay tensors
all the way: a `float()` on the way would cut the graph, and they would never move. Learns both from
samples of a bell curve.

Needs torch alone.

Avoids: graph-cut-by-conversion, parameters-not-optimized
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

CLASSES = 10
CENTRE, WIDTH = 6.3, 1.4
STEPS = 300


class SmoothOneHot(nn.Module):
    """Probabilities of shape (classes,)."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.register_buffer("positions", torch.arange(classes, dtype=torch.float32))
        self.centre = nn.Parameter(torch.tensor(classes / 2))
        self.log_width = nn.Parameter(torch.tensor(0.0))  # so that the width is never 0 or less

    def logits(self) -> Tensor:
        return -((self.positions - self.centre) ** 2) / (2 * torch.exp(2 * self.log_width))

    def forward(self) -> Tensor:
        return torch.softmax(self.logits(), dim=-1)  # the exponential and the norm, safely


def main() -> None:
    torch.manual_seed(0)
    drawn = (CENTRE + WIDTH * torch.randn(4000)).round().clamp(0, CLASSES - 1).long()
    shares = torch.bincount(drawn, minlength=CLASSES) / len(drawn)
    model = SmoothOneHot(CLASSES)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = F.cross_entropy(model.logits(), shares)  # wants logits; a share of each class
        loss.backward()
        optimizer.step()
    width = model.log_width.exp().item()
    print(f"centre {model.centre.item():.2f} of {CENTRE}, width {width:.2f} of {WIDTH}")


if __name__ == "__main__":
    main()
