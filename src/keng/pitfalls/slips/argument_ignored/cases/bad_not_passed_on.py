# an argument that the called function takes too; one whose neighbours are passed on; a default that is written out
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def attended(x, scale=1.0, temperature=1.0):
    return torch.softmax(x * scale / temperature, dim=-1)


def sharpened(x, scale=2.0, temperature=1.0):
    return attended(x, scale=scale)  # check: `attended` takes `temperature` too and gets its default


def loader(dataset, batch_size=2, num_workers=0, drop_last=False):
    return DataLoader(dataset, batch_size=batch_size, num_workers=num_workers)  # check: `drop_last` is accepted


class Head(nn.Module):
    def __init__(self, width, classes=1000):
        super().__init__()
        self.out = nn.Linear(width, 1000)  # check: `1000` is used in its place

    def forward(self, x):
        return self.out(x)


x = torch.arange(3.0)
head = Head(3, classes=10)

# proof
assert torch.equal(sharpened(x, temperature=5.0), sharpened(x))
assert len(loader(TensorDataset(x), drop_last=True)) == 2
assert head(x).shape == (1000,)
