# another shape
import torch
from torch.utils.checkpoint import checkpoint

kept = [3]


def block(x):
    return (x[: kept.pop() if kept else 1] * 2).relu().sum()


x = torch.ones(3, requires_grad=True)
loss = checkpoint(block, x, use_reentrant=False)
loss.backward()  # run: the slice is another one
