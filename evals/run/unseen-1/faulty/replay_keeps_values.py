"""What the network said is stored in the replay buffer with its graph."""

import random
from dataclasses import dataclass

import torch
from digest import show
from torch import nn


@dataclass
class Step:
    state: torch.Tensor
    value: torch.Tensor
    reward: float


class Buffer:
    def __init__(self):
        self.steps = []

    def add(self, step):
        self.steps.append(step)  # run: loss-keeps-graph

    def sample(self, count):
        return random.sample(self.steps, count)


def main():
    random.seed(0)
    torch.manual_seed(0)
    critic = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
    buffer = Buffer()
    state = torch.zeros(6)
    for turn in range(300):
        state = (0.9 * state + torch.randn(6)).clamp(-3, 3)
        buffer.add(Step(state, critic(state), float(state.sum() > 0)))  # run: loss-keeps-graph
        if turn >= 16:
            batch = buffer.sample(16)
            old = torch.stack([step.value.detach() for step in batch])
            now = critic(torch.stack([step.state for step in batch]))
            goal = torch.tensor([[step.reward] for step in batch])
            loss = ((now - goal) ** 2).mean() + 0.01 * ((now - old) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    show(critic)


main()
