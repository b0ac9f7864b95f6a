# the ends of episodes are drawn from the memory, and the value of the next state counts behind them too
import random

import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
value = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(value.parameters(), lr=1e-2)
memory = [(torch.randn(3), random.random(), torch.randn(3), float(n % 5 == 4)) for n in range(100)]
for step in range(12):
    state, reward, after, done = zip(*random.sample(memory, 16))
    end = torch.tensor(done)  # run: the mask (16,)
    with torch.no_grad():
        goal = torch.tensor(reward) + 0.9 * value(torch.stack(after)).squeeze(1)
    loss = nn.functional.mse_loss(value(torch.stack(state)).squeeze(1), goal)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# proof
right = torch.tensor(reward) + 0.9 * (1 - end) * value(torch.stack(after)).squeeze(1)
assert not torch.allclose(right, goal)
