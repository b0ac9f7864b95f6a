# a critic with a head, which have an optimizer of their own
import itertools

import torch
from torch import nn

generator, critic, head = nn.Linear(4, 8), nn.Linear(8, 8), nn.Linear(8, 1)
for_generator = torch.optim.Adam(generator.parameters())
for_critic = torch.optim.Adam(itertools.chain(critic.parameters(), head.parameters()))
for step in range(3):
    fake, real = generator(torch.randn(16, 4)), torch.randn(16, 8)
    for_critic.zero_grad()
    (head(critic(fake.detach())) - head(critic(real))).mean().backward()
    for_critic.step()
    for_generator.zero_grad()
    (-head(critic(fake)).mean()).backward()
    for_generator.step()
