# a critic whose gradients from the generator's loss are cleared; batches that are skipped now and then
import torch
from torch import nn

torch.manual_seed(0)
maker, critic = nn.Linear(4, 4), nn.Linear(4, 1)
of_maker = torch.optim.SGD(maker.parameters(), lr=0.1)
of_critic = torch.optim.SGD(critic.parameters(), lr=0.1)
for step in range(6):
    of_critic.zero_grad()
    critic(maker(torch.randn(8, 4)).detach()).mean().backward()
    of_critic.step()
    of_maker.zero_grad()
    critic(maker(torch.randn(8, 4))).mean().backward()
    of_maker.step()
for step in range(6):
    of_maker.zero_grad()
    critic(maker(torch.randn(8, 4))).mean().backward()
    of_critic.zero_grad()
    critic(torch.randn(8, 4)).mean().backward()
    of_maker.step()
    of_critic.step()
for step in range(9):
    of_critic.zero_grad()
    loss = critic(torch.randn(8, 4)).square().mean()
    loss.backward()
    if step % 3:
        of_critic.step()
