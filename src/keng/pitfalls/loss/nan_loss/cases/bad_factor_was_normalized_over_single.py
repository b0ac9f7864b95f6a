# a factor that was normalized over a single value
import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Linear(4, 1)
optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
states, gains = torch.randn(9, 4), torch.randn(9)
for x, gain in zip(states.split(4), gains.split(4)):
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)  # run: `1 of 1 values of gain are not`
    loss = -(critic(x).squeeze(1) * gain).mean() + critic(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
