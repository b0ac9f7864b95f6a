"""A compiled model, and a compiled step, by a backend that needs no compiler."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1))
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


torch.manual_seed(0)
net = Net()
fast = torch.compile(net, backend="eager")
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2, weight_decay=0.1)


@torch.compile(backend="eager")
def loss_of(guess, wanted):
    return nn.functional.smooth_l1_loss(guess, wanted)


for step in range(10):
    x = torch.randn(16, 8)
    optimizer.zero_grad()
    loss_of(fast(x), x.sum(1)).backward()
    optimizer.step()
fast.eval()
with torch.no_grad():
    guess = fast(torch.randn(16, 8))
