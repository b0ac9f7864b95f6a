# blocks of one's own
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return torch.relu(self.fc(x))


class Net(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = [Block() for _ in range(depth)]  # check: not registered

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


net = Net(2)
count = len(list(net.parameters()))

# proof
assert count == 0
