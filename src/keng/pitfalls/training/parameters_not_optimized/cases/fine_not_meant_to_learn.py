# networks whose output is cut, which several hands get, or whose parameters go through a list
import torch
from torch import nn


def build(*networks):
    return torch.optim.SGD([p for net in networks for p in net.parameters()], lr=0.1)


class Distilled:
    def __init__(self):
        self.code = nn.Linear(4, 2)
        self.net = nn.Linear(4, 2)
        self.parts = [nn.Linear(2, 2), nn.Linear(2, 2)]
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.others = torch.optim.SGD([p for n in self.parts for p in n.parameters()], lr=0.1)

    def fit(self, rounds):
        for _ in range(rounds):
            x = torch.randn(8, 4)
            with torch.no_grad():
                wanted = self.code(x)
            out = self.net(x)
            for part in self.parts:
                out = part(out)
            self.optimizer.zero_grad()
            self.others.zero_grad()
            (out - wanted).square().mean().backward()
            self.optimizer.step()
            self.others.step()


Distilled().fit(3)
body, head, hash_ = nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(4, 1)
optimizer = build(body, head)
alone = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
for _ in range(3):
    x = torch.randn(8, 4)
    code = hash_(x).detach()
    optimizer.zero_grad()
    (head(body(x)) - code).square().mean().backward()
    optimizer.step()
