import torch
import torch.nn as nn
import torch.nn.functional as F


class Gen(nn.Module):
    def __init__(self, nz=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(nz, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 2))

    def forward(self, z):
        return self.net(z)


class Disc(nn.Module):
    def __init__(self):
        super().__init__()
        sn = nn.utils.parametrizations.spectral_norm
        self.net = nn.Sequential(sn(nn.Linear(2, 64)), nn.LeakyReLU(0.2), sn(nn.Linear(64, 1)))

    def forward(self, x):
        return self.net(x).squeeze(1)


def requires_grad(module, flag):
    for p in module.parameters():
        p.requires_grad_(flag)


G, D = Gen(), Disc()
optG = torch.optim.Adam(G.parameters(), 1e-4, betas=(0.0, 0.9))
optD = torch.optim.Adam(D.parameters(), 4e-4, betas=(0.0, 0.9))
log = {'d': [], 'g': []}
for it in range(20):
    z = torch.randn(32, 16)
    fake = G(z)
    real = torch.randn(32, 2) + 3
    d_loss = F.relu(1 - D(real)).mean() + F.relu(1 + D(fake.detach())).mean()
    optD.zero_grad()
    d_loss.backward()
    optD.step()

    requires_grad(D, False)
    g_loss = -D(fake).mean()
    optG.zero_grad()
    g_loss.backward()
    optG.step()
    requires_grad(D, True)
    log['d'].append(d_loss.item())
    log['g'].append(float(g_loss))
    if it % 10 == 0:
        G.eval()
        with torch.no_grad():
            print(G(torch.randn(3, 16)))
        G.train()
