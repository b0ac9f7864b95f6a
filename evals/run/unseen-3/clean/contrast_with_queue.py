"""Keys of a slow encoder wait in a queue of negatives; the right answer is always the first column."""

import copy

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class Momentum(nn.Module):
    def __init__(self, width=32, waiting=256, slow=0.95, heat=0.2):
        super().__init__()
        self.fast = nn.Sequential(
            nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, width)
        )
        self.slow = copy.deepcopy(self.fast).requires_grad_(False)
        self.keep, self.heat = slow, heat
        self.register_buffer("queue", F.normalize(torch.randn(waiting, width), dim=1))
        self.register_buffer("at", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def follow(self):
        for ours, theirs in zip(self.slow.parameters(), self.fast.parameters(), strict=True):
            ours.mul_(self.keep).add_(theirs, alpha=1 - self.keep)

    @torch.no_grad()
    def enqueue(self, keys):
        places = (int(self.at) + torch.arange(len(keys))) % len(self.queue)
        self.queue[places] = keys
        self.at[0] = (int(self.at) + len(keys)) % len(self.queue)

    def forward(self, one, other):
        query = F.normalize(self.fast(one), dim=1)
        with torch.no_grad():
            self.follow()
            mixed = torch.randperm(len(other))
            keys = F.normalize(self.slow(other[mixed]), dim=1)[mixed.argsort()]
        alike = (query * keys).sum(1, keepdim=True)
        different = query @ self.queue.clone().T
        self.enqueue(keys)
        scores = torch.cat([alike, different], 1) / self.heat
        return scores, torch.zeros(len(scores), dtype=torch.long)


def view(x):
    shown = x.view(-1, 8, 8).roll(int(torch.randint(-1, 2, ())), 2).flatten(1)
    return (shown + 0.05 * torch.randn_like(shown)) * (torch.rand_like(shown) > 0.1)


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32) / 16, torch.tensor(digits.target)
model = Momentum()
optimizer = torch.optim.SGD(model.fast.parameters(), 0.06, momentum=0.9, weight_decay=1e-4)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5)
for epoch in range(5):
    losses = []
    for (rows,) in DataLoader(TensorDataset(x), batch_size=64, shuffle=True, drop_last=True):
        scores, first = model(view(rows), view(rows))
        loss = F.cross_entropy(scores, first)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    schedule.step()
    print(epoch, f"{torch.stack(losses).mean():.3f}")
model.eval()
with torch.no_grad():
    features = F.normalize(model.fast(x), dim=1)
    near = (features @ features.T).fill_diagonal_(-1).argmax(1)
print(f"{(y[near] == y).float().mean():.3f}")
show(model)
