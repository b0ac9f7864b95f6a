import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        same = torch.rand(()) < 0.5
        pool = (self.y == self.y[i] if same else self.y != self.y[i]).nonzero().squeeze(1)
        j = pool[torch.randint(len(pool), ())]
        return self.x[i], self.x[j], same.float()


class BYOL(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(d, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 8))
        self.target = nn.Sequential(nn.Linear(d, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 8))
        self.target.load_state_dict(self.online.state_dict())
        self.target.requires_grad_(False)
        self.pred = nn.Linear(8, 8)

    def forward(self, a, b):
        p = self.pred(self.online(a))
        z = self.target(b).detach()
        return 2 - 2 * F.cosine_similarity(p, z, dim=-1).mean()

    @torch.no_grad()
    def momentum(self, m=0.996):
        for t, o in zip(self.target.parameters(), self.online.parameters()):
            t.data = t.data * m + o.data * (1 - m)


def contrastive(a, b, same, margin=1.0):
    d = (a - b).pow(2).sum(1).add(1e-12).sqrt()
    return (same * d.pow(2) + (1 - same) * F.relu(margin - d).pow(2)).mean()


x, y = torch.randn(120, 16), torch.randint(0, 3, (120,))
dl = DataLoader(Pairs(x, y), 24, shuffle=True, drop_last=True)
byol, head = BYOL(), nn.Linear(16, 8)
opt = torch.optim.Adam([*byol.online.parameters(), *byol.pred.parameters()], 1e-3)
opt2 = torch.optim.Adam(head.parameters(), 1e-3)
for a, b, s in dl:
    loss = byol(a, b) + byol(b, a)
    opt.zero_grad()
    loss.backward()
    opt.step()
    byol.momentum()
    l2 = contrastive(head(a), head(b), s)
    opt2.zero_grad()
    l2.backward()
    opt2.step()
print(loss.item(), l2.item())
