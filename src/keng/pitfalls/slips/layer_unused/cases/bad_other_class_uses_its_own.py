# the actor makes a last layer and forgets it; the critic has one of the same name and uses it
import torch
from torch import nn


class Actor(nn.Module):
    def __init__(self, preprocess):
        super().__init__()
        self.preprocess = preprocess
        self.last = nn.Linear(4, 2)  # check: `last`

    def forward(self, x):
        return self.preprocess(x).softmax(-1)


class Critic(nn.Module):
    def __init__(self, preprocess):
        super().__init__()
        self.preprocess = preprocess
        self.last = nn.Linear(4, 1)

    def forward(self, x):
        return self.last(self.preprocess(x))


actor, critic = Actor(nn.Linear(3, 4)), Critic(nn.Linear(3, 4))
loss = actor(torch.ones(2, 3)).amax(1).sum() + critic(torch.ones(2, 3)).sum()
loss.backward()

# proof
assert actor.last.weight.grad is None and critic.last.weight.grad is not None
