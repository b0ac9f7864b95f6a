# the last bias of a critic: the gradients of real and generated samples cancel
import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
optimizer = torch.optim.AdamW(critic.parameters(), lr=1e-3)
for step in range(60):
    real, fake = critic(torch.randn(16, 2) + 1), critic(torch.randn(16, 2))
    optimizer.zero_grad()
    (fake.mean() - real.mean()).backward()
    optimizer.step()
