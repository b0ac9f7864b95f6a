"""Targets that were not measured are filled before anything is computed, and weighted by zero."""

import torch
from digest import show
from sklearn.datasets import make_multilabel_classification, make_regression
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

TASKS = {"amount": 1, "tags": 5}


class Shared(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, 48), nn.LayerNorm(48), nn.GELU())
        self.heads = nn.ModuleDict({name: nn.Linear(48, size) for name, size in TASKS.items()})
        self.log_vars = nn.ParameterDict({name: nn.Parameter(torch.zeros(())) for name in TASKS})

    def forward(self, x):
        h = self.body(x)
        return {name: head(h) for name, head in self.heads.items()}

    def weigh(self, losses):
        return sum(
            (-self.log_vars[n]).exp() * loss + self.log_vars[n] for n, loss in losses.items()
        )


def amount_loss(out, target):
    known = ~target.isnan()
    error = (out - target.nan_to_num()) ** 2
    return (error * known).sum() / known.sum().clamp(min=1)


def data(count=480):
    x, amount = make_regression(count, 16, noise=1.0, random_state=1)
    _, tags = make_multilabel_classification(count, 4, n_classes=5, random_state=1)
    x, amount = torch.tensor(x).float(), torch.tensor(amount / amount.std()).float()[:, None]
    amount[torch.rand(count) < 0.4] = float("nan")
    return TensorDataset(x, amount, torch.tensor(tags).float())


torch.manual_seed(1)
loader = DataLoader(data(), 48, shuffle=True)
model = Shared(16)
optimizer = torch.optim.AdamW(
    [
        {"params": [*model.body.parameters(), *model.heads.parameters()]},
        {"params": model.log_vars.parameters(), "weight_decay": 0.0, "lr": 1e-2},
    ],
    lr=2e-3,
)
for epoch in range(4):
    totals = dict.fromkeys(TASKS, 0.0)
    for x, amount, tags in loader:
        out = model(x)
        losses = {
            "amount": amount_loss(out["amount"], amount),
            "tags": nn.functional.binary_cross_entropy_with_logits(out["tags"], tags),
        }
        optimizer.zero_grad()
        model.weigh(losses).backward()
        optimizer.step()
        for name, loss in losses.items():
            totals[name] += loss.detach()
    print(epoch, {name: f"{total / len(loader):.3f}" for name, total in totals.items()})
show(model)
