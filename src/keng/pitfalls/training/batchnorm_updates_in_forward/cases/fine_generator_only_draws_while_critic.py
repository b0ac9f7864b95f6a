# a generator that only produces samples during the five steps of the critic
import torch
from torch import nn

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 4))
critic = nn.Linear(4, 1)
of_generator = torch.optim.SGD(generator.parameters(), lr=0.01)
of_critic = torch.optim.SGD(critic.parameters(), lr=0.01)
for turn in range(20):
    with torch.no_grad():
        fake = generator(torch.randn(16, 4))
    of_critic.zero_grad()
    (critic(fake).mean() - critic(torch.randn(16, 4)).mean()).backward()
    of_critic.step()
    if turn % 10 == 9:
        critic.requires_grad_(False)
        of_generator.zero_grad()
        (-critic(generator(torch.randn(16, 4)))).mean().backward()
        of_generator.step()
        critic.requires_grad_(True)
