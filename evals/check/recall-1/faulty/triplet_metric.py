import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Triplets(Dataset):
    def __init__(self, feats, labels):
        self.feats, self.labels = feats, labels
        self.rng = np.random.default_rng(0)  # check: worker-seeds-repeat

    def __len__(self):
        return len(self.feats)

    def __getitem__(self, i):
        same = np.flatnonzero(self.labels == self.labels[i])
        other = np.flatnonzero(self.labels != self.labels[i])
        p, n = self.rng.choice(same), self.rng.choice(other)
        return tuple(torch.Tensor(self.feats[j]) for j in (i, p, n))  # check: slow-tensor-construction


class Embed(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d_in, 64), nn.ReLU(), nn.Linear(64, d_out))

    def forward(self, x):
        e = self.f(x)
        return e / e.norm(dim=1, keepdim=True).clamp_min(1e-8)


def distance(a, b):
    return torch.sqrt(((a - b) ** 2).sum(1) + 1e-12)


feats = np.random.randn(200, 20).astype('float32')
labels = np.random.randint(0, 5, 200)
loader = DataLoader(Triplets(feats, labels), batch_size=16, shuffle=True, num_workers=2)
model = Embed(20, 8)
optimiser = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

for epoch in range(3):
    for anchor, pos, neg in loader:
        optimiser.zero_grad()
        ea, ep, en = model(anchor), model(pos), model(neg)
        loss = torch.relu(distance(ea, ep) - distance(ea, en) + 0.2).mean()
        loss.backward()
        optimiser.step()
    if loss.item() is np.nan:  # check: nan-compared
        break
    print(epoch, float(loss))
