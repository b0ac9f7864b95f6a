"""NLLLoss over logarithms that no `log_softmax` made: by subtraction, of mixtures, of two classes."""

import torch
from digest import show
from sklearn.datasets import load_iris
from torch import nn

torch.manual_seed(0)
iris = load_iris()
x = torch.tensor(iris.data).float()
x = (x - x.mean(0)) / x.std(0)
y = torch.tensor(iris.target)


class Mixture(nn.Module):
    """Two experts, whose probabilities are averaged."""

    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleList(nn.Linear(4, 3) for _ in range(2))
        self.gate = nn.Linear(4, 2)

    def forward(self, x):
        each = torch.stack([e(x) for e in self.experts], 1)
        each = each - each.logsumexp(-1, keepdim=True)
        weight = self.gate(x).log_softmax(1).unsqueeze(-1)
        return torch.logsumexp(each + weight, 1)


class Ordinal(nn.Module):
    """Probabilities of three ranks from two thresholds; their sum is 1 but for rounding."""

    def __init__(self):
        super().__init__()
        self.score = nn.Linear(4, 1)
        self.steps = nn.Parameter(torch.tensor([-1.0, 2.0]))

    def forward(self, x):
        above = torch.sigmoid(self.score(x) - self.steps.cumsum(0))
        p = torch.cat([1 - above[:, :1], above[:, :1] - above[:, 1:], above[:, 1:]], 1)
        return p.clamp_min(1e-6).log()


criterion = nn.NLLLoss(weight=torch.tensor([1.0, 1.5, 1.5]))
for model in (Mixture(), Ordinal()):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for epoch in range(60):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        print(f"{loss.item():.3f} {(model(x).argmax(1) == y).float().mean().item():.3f}")
    show(model)
