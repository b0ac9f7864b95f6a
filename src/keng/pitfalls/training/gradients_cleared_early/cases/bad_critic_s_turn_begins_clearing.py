# a critic's turn begins with clearing all
import torch
from torch import nn

torch.manual_seed(0)
maker, critic = nn.Linear(4, 4), nn.Linear(4, 1)
before = maker.weight.detach().clone()
of_maker = torch.optim.SGD(maker.parameters(), lr=0.1)
of_critic = torch.optim.SGD(critic.parameters(), lr=0.1)
for step in range(4):
    fake = maker(torch.randn(8, 4))
    (-critic(fake)).mean().backward()
    for optimizer in (of_maker, of_critic):
        optimizer.zero_grad()  # run: the maker's gradients are gone
    (critic(fake.detach()).mean() - critic(torch.randn(8, 4)).mean()).backward()
    of_critic.step()
    of_maker.step()

# proof
assert torch.equal(maker.weight, before)
