# the first layers of another, in the mode that they are made in
import torch
from torch import nn


def published():
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 3))


class Tuned(nn.Module):
    def __init__(self):
        super().__init__()
        whole = published()
        self.features = nn.Sequential(*list(whole.children())[:-1])
        for p in self.features.parameters():
            p.requires_grad = False  # check: and batch norm goes on
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.features(x))


net = Tuned()
optimizer = torch.optim.SGD(net.head.parameters(), lr=0.1)
for x in torch.randn(3, 16, 4) + 3:
    optimizer.zero_grad()
    loss = net(x).square().mean()  # run: `running statistics`
    loss.backward()
    optimizer.step()

# proof
assert net.features[1].running_mean.abs().max() > 0
