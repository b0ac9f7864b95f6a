"""Two tasks with learned weights, an auxiliary one that ends halfway, and a plateau that never comes."""

import torch
from digest import show
from sklearn.datasets import load_diabetes
from torch import nn
from torch.nn import functional as F


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 32), nn.GELU(), nn.Dropout(0.1))
        self.tasks = nn.ModuleDict(
            {"amount": nn.Linear(32, 1), "high": nn.Linear(32, 1), "age": nn.Linear(32, 1)}
        )
        self.log_variances = nn.ParameterDict({name: torch.zeros(()) for name in self.tasks})

    def forward(self, x, losses):
        hidden = self.trunk(x)
        for name, (loss, target) in losses.items():
            missed = loss(self.tasks[name](hidden).squeeze(1), target)
            yield (-self.log_variances[name]).exp() * missed + self.log_variances[name] / 2


torch.manual_seed(0)
x, y = (torch.tensor(part).float() for part in load_diabetes(return_X_y=True))
x, y = (x - x.mean(0)) / x.std(0), (y - y.mean()) / y.std()
model = Shared()
optimizer = torch.optim.Adam(
    [{"params": model.trunk.parameters()}, {"params": model.tasks.parameters(), "lr": 5e-3},
     {"params": model.log_variances.parameters(), "weight_decay": 0.0}], lr=2e-3, weight_decay=1e-4,
)  # fmt: skip
schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=50)
for epoch in range(8):
    for part in torch.randperm(len(x)).split(64):
        asked = {
            "amount": (F.smooth_l1_loss, y[part]),
            "high": (F.binary_cross_entropy_with_logits, (y[part] > 0).float()),
        }
        if epoch < 4:
            asked["age"] = (F.mse_loss, x[part, 0])
        loss = sum(model(x[part], asked))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    schedule.step(loss.item())
    print(f"{loss.item():.4f}")
show(model)
