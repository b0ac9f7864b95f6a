import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, bias=False)
        self.norm = nn.BatchNorm2d(8)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x))).mean((2, 3))


class Probe(nn.Module):
    def __init__(self, tune_norms):
        super().__init__()
        self.backbone = Backbone()
        for name, p in self.backbone.named_parameters():
            p.requires_grad = tune_norms and 'norm' in name
        self.stem = nn.Conv2d(3, 3, 1)
        self.stem.requires_grad_(False)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.backbone(self.stem(x)))


def freeze_norms(m):
    if isinstance(m, nn.BatchNorm2d):
        m.eval()


def fit(net, batches):
    opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], 0.1)
    for epoch in range(2):
        net.train()
        net.apply(freeze_norms)
        for x, y in batches:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
        net.eval()
        with torch.no_grad():
            acc = sum((net(x).argmax(1) == y).sum() for x, y in batches)
        print(epoch, loss.item(), acc.item())
    return net


batches = [(torch.randn(4, 3, 8, 8), torch.randint(2, (4,))) for _ in range(2)]
net = fit(Probe(False), batches)
net.backbone.norm = nn.GroupNorm(2, 8)
net.head = nn.Linear(8, 3)
opt = torch.optim.Adam(net.parameters(), 1e-3)
nn.functional.cross_entropy(net(batches[0][0]), batches[0][1]).backward()
opt.step()
