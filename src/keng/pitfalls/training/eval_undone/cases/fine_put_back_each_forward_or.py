# put back in each forward, or by the loop; a part that heeds no mode; one that is no submodule; a model that is never switched back
import torch
from torch import nn


def frozen():
    return nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5)).requires_grad_(False)


class ByForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.guide, self.out = frozen(), nn.Linear(4, 2)
        self.guide.eval()

    def forward(self, x):
        self.guide.eval()
        return self.out(self.guide(x))


class ByLoop(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.out = frozen(), nn.Linear(4, 2)
        self.encoder.eval()

    def forward(self, x):
        return self.out(self.encoder(x))


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.out = nn.Linear(4, 4).requires_grad_(False), nn.Linear(4, 2)
        self.first.eval()

    def forward(self, x):
        return self.out(self.first(x).relu())


class Beside(nn.Module):
    def __init__(self, judge):
        super().__init__()
        self.out, self.judge = nn.Linear(4, 4), [judge.eval()]

    def forward(self, x):
        return self.judge[0](self.out(x))


class Evaluated(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.out = frozen(), nn.Linear(4, 2)
        self.body.eval()

    def forward(self, x):
        return self.out(self.body(x))


def fit(model):
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    for x in torch.randn(2, 8, 4):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()


by_forward, by_loop, plain, beside = ByForward(), ByLoop(), Plain(), Beside(frozen())
by_forward.train()
fit(by_forward)
by_loop.train()
by_loop.encoder.eval()
fit(by_loop)
plain.train()
fit(plain)
fit(beside.train())
with torch.no_grad():
    print(Evaluated().eval()(torch.randn(2, 4)))
