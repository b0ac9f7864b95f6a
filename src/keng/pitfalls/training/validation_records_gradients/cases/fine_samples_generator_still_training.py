# samples of a generator that is still in training
import torch
from torch import nn

generator, critic = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD(generator.parameters(), lr=0.01)
noise, samples = torch.randn(16, 4), []
for step in range(4):
    optimizer.zero_grad()
    (-critic(generator(torch.randn(16, 4)))).mean().backward()
    optimizer.step()
    if step % 2:
        for part in noise.split(4):
            samples.append(generator(part).detach())
