# labels of a discriminator; the value of the chosen action
import torch
from torch import nn

torch.manual_seed(0)
discriminator = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
values = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.Adam([*discriminator.parameters(), *values.parameters()], lr=1e-3)
for step in range(12):
    x = torch.randn(64, 8)
    real = discriminator(x + 1)
    fake = discriminator(x)
    loss = nn.functional.mse_loss(real, torch.ones_like(real))
    loss = loss + nn.functional.mse_loss(fake, torch.zeros_like(fake))
    taken = values(x).gather(1, torch.randint(4, (64, 1)))
    loss = loss + nn.functional.smooth_l1_loss(taken, torch.randn(64, 1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
