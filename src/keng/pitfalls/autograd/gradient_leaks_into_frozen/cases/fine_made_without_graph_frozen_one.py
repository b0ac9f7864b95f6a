# computed without a graph; frozen; one output for both; one optimizer for both
import torch
from torch import nn

generator, critic = nn.Linear(4, 8), nn.Linear(8, 1)
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
c_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
both = torch.optim.Adam([*generator.parameters(), *critic.parameters()], lr=1e-3)
for step in range(2):
    with torch.no_grad():
        fake = generator(torch.randn(16, 4))
    c_optimizer.zero_grad()
    c_loss = critic(fake).mean()
    c_loss.backward()
    c_optimizer.step()
for step in range(2):
    fake = generator(torch.randn(16, 4))
    both.zero_grad()
    loss = critic(fake).mean()
    loss.backward()
    both.step()
for step in range(2):
    fake = generator(torch.randn(16, 4))
    score = critic(fake).mean()
    c_optimizer.zero_grad()
    g_optimizer.zero_grad()
    score.backward()
    c_optimizer.step()
    g_optimizer.step()
