# the sum of two losses that went backward apart; a total that is emptied now and then
import torch
from torch import nn

critic = nn.Linear(8, 1)
optimizer = torch.optim.SGD(critic.parameters(), lr=0.01)
history, total = [], 0.0
for step in range(40):
    optimizer.zero_grad()
    real = critic(torch.randn(16, 8)).square().mean()
    real.backward()
    fake = critic(torch.randn(16, 8)).abs().mean()
    fake.backward()
    optimizer.step()
    both = real + fake
    history.append(both)  # check: both graphs
    total += real  # check: a thousand graphs, until it is printed
    if step % 1000 == 999:
        print(total / 1000)
        total = 0.0
