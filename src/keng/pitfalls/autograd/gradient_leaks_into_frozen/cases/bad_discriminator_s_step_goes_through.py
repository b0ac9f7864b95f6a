# the discriminator's step goes through the generator
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
generator, discriminator = nn.Linear(2, 4), nn.Linear(4, 1)
optimizer_g = torch.optim.SGD(generator.parameters(), lr=0.01)
optimizer_d = torch.optim.SGD(discriminator.parameters(), lr=0.01)
for step in range(6):
    optimizer_d.zero_grad()
    fake = discriminator(generator(torch.randn(8, 2)))  # run: not detached
    F.softplus(fake).mean().backward()
    optimizer_d.step()
    optimizer_g.zero_grad()
    score = discriminator(generator(torch.randn(8, 2)))
    F.softplus(-score).mean().backward()
    optimizer_g.step()
