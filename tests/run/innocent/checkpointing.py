"""Gradient checkpointing: the forward runs without gradients first and again in backward."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc, self.norm, self.drop = (
            nn.Linear(width, width),
            nn.LayerNorm(width),
            nn.Dropout(0.1),
        )

    def forward(self, x):
        return x + self.drop(torch.relu(self.fc(self.norm(x))))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block(16) for _ in range(4))
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
        return self.head(x)


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(20):
    x, y = torch.randn(16, 16), torch.randint(3, (16,))
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
