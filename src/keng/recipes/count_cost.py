"""Count what a model costs: parameters, multiply-adds and activation memory, by module.

Layers of your own are counted too, for the operations below them are. For the figures of a paper mind
what is counted: one multiply-add is two operations (FLOPs).

Needs keng.

Avoids: module-not-registered
"""

import torch
from torch import Tensor, nn

from keng.toolbox import count_cost


class Attention(nn.Module):
    """Your own layer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.mix = nn.Parameter(torch.randn(width, width) / width**0.5)

    def forward(self, x: Tensor) -> Tensor:
        weights = torch.softmax(x @ self.mix @ x.transpose(1, 2), dim=-1)
        return x + weights @ x


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, 64, 16, stride=16)
        self.attention = Attention(64)
        self.head = nn.Linear(64, 10)

    def forward(self, x: Tensor) -> Tensor:
        tokens = self.patches(x).flatten(2).transpose(1, 2)
        return self.head(self.attention(tokens).mean(dim=1))


def main() -> None:
    batch = torch.randn(1, 3, 224, 224)  # the batch size that you mean: activations grow with it
    cost = count_cost(Net(), batch)
    print(cost)
    print(f"{2 * cost.total.multiply_adds:,} FLOPs")


if __name__ == "__main__":
    main()
