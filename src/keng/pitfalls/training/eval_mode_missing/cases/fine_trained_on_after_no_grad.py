# a generator that a critic is shown without gradients, at each step; samples drawn at the end; many draws with dropout
import torch
from torch import nn

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(2, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
critic = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
g_step = torch.optim.Adam(generator.parameters(), lr=1e-3)
c_step = torch.optim.Adam(critic.parameters(), lr=1e-3)
for step in range(120):
    real = torch.randn(32, 2) + 1
    with torch.no_grad():
        fake = generator(torch.randn(32, 2))
    c_step.zero_grad()
    (critic(fake).mean() - critic(real).mean()).backward()
    c_step.step()
    g_step.zero_grad()
    (-critic(generator(torch.randn(32, 2))).mean()).backward()
    g_step.step()
with torch.no_grad():
    draws = torch.stack([generator(torch.ones(8, 2)) for _ in range(10)])
    spread = draws.std(0)
print(spread.mean() == 0)
