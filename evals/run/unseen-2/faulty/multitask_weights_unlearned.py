"""Two tasks are weighted by learned uncertainties that no optimizer has."""

import torch
from digest import show
from sklearn.datasets import load_diabetes
from torch import nn
from torch.nn import functional as F


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 32), nn.GELU(), nn.Linear(32, 32), nn.GELU())
        self.amount, self.high = nn.Linear(32, 1), nn.Linear(32, 1)

    def forward(self, x):
        hidden = self.trunk(x)
        return self.amount(hidden).squeeze(1), self.high(hidden).squeeze(1)


class Uncertainty(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.log_variances = nn.Parameter(torch.zeros(tasks))

    def forward(self, *losses):
        stacked = torch.stack(losses)
        return (stacked * (-self.log_variances).exp() + self.log_variances).sum()


torch.manual_seed(0)
x, y = (torch.tensor(part).float() for part in load_diabetes(return_X_y=True))
x, y = (x - x.mean(0)) / x.std(0), (y - y.mean()) / y.std()
model, weigh = Shared(), Uncertainty(2)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)  # run: parameters-not-optimized
for epoch in range(8):
    for part in torch.randperm(len(x)).split(64):
        amount, high = model(x[part])
        loss = weigh(  # run: parameters-not-optimized
            F.smooth_l1_loss(amount, y[part]),
            F.binary_cross_entropy_with_logits(high, (y[part] > 0).float()),
        )
        optimizer.zero_grad()
        loss.backward()  # run: parameters-not-optimized
        optimizer.step()  # run: parameters-not-optimized
    print(f"{loss.item():.4f} {weigh.log_variances.detach().exp().tolist()}")
show(model, weigh)
