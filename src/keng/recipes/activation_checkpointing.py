"""Train with less memory: forget the activations of chosen blocks, and compute them again in backward.

`torch.utils.checkpoint` around a block keeps its input alone. The program measures the bytes that autograd
keeps and the time of a step, both ways, and shows that the gradients are the same.

Needs keng.

Avoids: gpu-out-of-memory, timing-without-sync
"""

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from keng.toolbox import benchmark, count_cost

WIDTH, DEPTH, BATCH = 256, 8, 64


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.grow = nn.Linear(WIDTH, 4 * WIDTH)
        self.shrink = nn.Linear(4 * WIDTH, WIDTH)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.drop(self.shrink(torch.nn.functional.gelu(self.grow(x))))


class Net(nn.Module):
    def __init__(self, checkpointed: bool) -> None:
        super().__init__()
        self.checkpointed = checkpointed
        self.blocks = nn.ModuleList(Block() for _ in range(DEPTH))

    def forward(self, x: Tensor) -> Tensor:
        for block in self.blocks:
            # Random numbers are put back for the second time, so dropout drops the same.
            x = checkpoint(block, x, use_reentrant=False) if self.checkpointed else block(x)
        return x


def step(model: nn.Module, x: Tensor) -> None:
    model.zero_grad()
    torch.manual_seed(1)
    model(x).square().mean().backward()


def main() -> None:
    torch.manual_seed(0)
    x = torch.randn(BATCH, WIDTH)
    plain, saving = Net(checkpointed=False), Net(checkpointed=True)
    saving.load_state_dict(plain.state_dict())
    for name, model in (("kept", plain), ("computed again", saving)):
        kept = count_cost(model, x).total.activations / 1e6
        seconds = benchmark(lambda model=model: step(model, x), warmup=1, seconds=0.3).median
        print(f"activations {name}: {kept:.1f} MB, {seconds * 1e3:.0f} ms a step")
    pairs = zip(plain.parameters(), saving.parameters(), strict=True)
    print("the same gradients:", all(torch.equal(a.grad, b.grad) for a, b in pairs))


if __name__ == "__main__":
    main()
