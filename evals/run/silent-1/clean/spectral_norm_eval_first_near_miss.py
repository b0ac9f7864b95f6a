"""A GAN's critic under spectral norm is evaluated before its first training step."""

import torch
from torch import nn
from torch.nn.utils import spectral_norm

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8))
critic = nn.Sequential(spectral_norm(nn.Linear(8, 16)), nn.LeakyReLU(0.2), nn.Linear(16, 1))
bce = nn.BCEWithLogitsLoss()
opt_g = torch.optim.Adam(generator.parameters(), lr=1e-3)
opt_d = torch.optim.Adam(critic.parameters(), lr=1e-3)
fixed = torch.randn(16, 8)
critic(fixed)
critic.eval()
with torch.no_grad():
    baseline = critic(fixed).mean()
critic.train()
for step in range(20):
    real, noise = torch.randn(16, 8), torch.randn(16, 4)
    fake = generator(noise)
    opt_d.zero_grad()
    ones, zeros = torch.ones(16, 1), torch.zeros(16, 1)
    (bce(critic(real), ones) + bce(critic(fake.detach()), zeros)).backward()
    opt_d.step()
    opt_g.zero_grad()
    bce(critic(fake), ones).backward()
    opt_g.step()
