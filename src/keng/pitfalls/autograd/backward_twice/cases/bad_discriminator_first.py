# the discriminator first
import torch
from torch import nn

generator, critic = nn.Linear(2, 3), nn.Linear(3, 1)
of_generator = torch.optim.SGD(generator.parameters(), lr=0.1)
of_critic = torch.optim.SGD(critic.parameters(), lr=0.1)
made = generator(torch.randn(4, 2))
loss_d = critic(made).mean()
of_critic.zero_grad()
loss_d.backward()
of_critic.step()
loss_g = -critic(made).mean()
of_generator.zero_grad()
loss_g.backward()  # check: `Give made.detach() to the loss`
