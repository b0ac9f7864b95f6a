# a critic with an optimizer of its own, features of a fixed network, and a fixed judge behind the network
import itertools

import torch
from torch import nn

features, judge = nn.Linear(8, 8), nn.Linear(8, 1)
generator, critic, head = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
features.eval()
for_generator = torch.optim.Adam(generator.parameters())
for_critic = torch.optim.Adam(itertools.chain(critic.parameters(), head.parameters()))
for step in range(3):
    fake, real = generator(torch.randn(16, 4)), torch.randn(16, 8)
    for_critic.zero_grad()
    (critic(fake.detach()) - critic(real) + head(real)).mean().backward()
    for_critic.step()
    for_generator.zero_grad()
    close = (features(fake) - features(real).detach()).square().mean()
    (close - critic(fake).mean() - judge(fake).mean()).backward()
    for_generator.step()
