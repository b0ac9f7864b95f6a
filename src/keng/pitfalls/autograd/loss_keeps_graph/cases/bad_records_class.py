# in records of a class
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Seen:
    state: torch.Tensor
    value: torch.Tensor


critic = nn.Linear(8, 1)
optimizer = torch.optim.SGD(critic.parameters(), lr=0.01)
memory = []
for step in range(40):
    state = torch.randn(8)
    memory.append(Seen(state, critic(state)))  # run: each keeps its graph
    optimizer.zero_grad()
    critic(torch.stack([each.state for each in memory[-8:]])).square().mean().backward()
    optimizer.step()
