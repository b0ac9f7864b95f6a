"""Each task's gradients are cleared by the next one's: only the last task teaches the shared body."""

import torch
from digest import show
from sklearn.datasets import load_diabetes
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, Dataset, RandomSampler


class Patients(Dataset):
    def __init__(self):
        x, y = load_diabetes(return_X_y=True)
        self.x = torch.tensor(x * 20, dtype=torch.float32)
        y = torch.tensor(y, dtype=torch.float32)
        self.targets = {
            "progress": (y - y.mean()) / y.std(),
            "severe": (y > y.median()).float(),
            "older": (self.x[:, 0] > 0).long(),
        }

    def __len__(self):
        return len(self.x)

    def __getitem__(self, rows):
        return self.x[rows], {name: target[rows] for name, target in self.targets.items()}


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU())
        self.heads = nn.ModuleDict(
            {"progress": nn.Linear(48, 1), "severe": nn.Linear(48, 1), "older": nn.Linear(48, 2)}
        )

    def forward(self, x, task):
        return self.heads[task](self.body(x))


losses = {
    "progress": lambda out, y: nn.functional.smooth_l1_loss(out.squeeze(1), y),
    "severe": lambda out, y: nn.functional.binary_cross_entropy_with_logits(out.squeeze(1), y),
    "older": nn.functional.cross_entropy,
}
weights = {"progress": 1.0, "severe": 0.5, "older": 0.5}
torch.manual_seed(0)
data = Patients()
batches = DataLoader(data, sampler=BatchSampler(RandomSampler(data), 32, False), batch_size=None)
model = Shared()
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
for _epoch in range(6):
    seen = dict.fromkeys(losses, 0.0)
    for x, targets in batches:
        for task, criterion in losses.items():
            optimizer.zero_grad()  # run: gradients-cleared-early
            loss = weights[task] * criterion(model(x, task), targets[task])
            loss.backward()  # run: gradients-cleared-early
            seen[task] += loss.item()
        optimizer.step()
print({task: round(value / len(batches), 3) for task, value in seen.items()})
show(model)
