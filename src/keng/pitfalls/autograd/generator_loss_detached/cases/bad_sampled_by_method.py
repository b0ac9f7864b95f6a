# a method that detaches its samples for the critic also makes those of the generator's loss
import torch
from torch import nn


class Game:
    def __init__(self):
        self.generator, self.critic = nn.Linear(2, 2), nn.Linear(2, 1)
        self.generator_optimizer = torch.optim.SGD(self.generator.parameters(), lr=0.1)
        self.critic_optimizer = torch.optim.SGD(self.critic.parameters(), lr=0.1)

    def sample(self, n):
        return self.generator(torch.randn(n, 2)).detach()

    def judge(self, x):
        return self.critic(x).mean()

    def play(self, real):
        self.critic_optimizer.zero_grad()
        (self.judge(self.sample(4)) - self.judge(real)).backward()
        self.critic_optimizer.step()
        self.generator_optimizer.zero_grad()
        (-self.judge(self.sample(4))).backward()  # check: `self.generator_optimizer` steps
        self.generator_optimizer.step()


game = Game()
before = game.generator.weight.clone()
for real in torch.ones(3, 4, 2):
    game.play(real)

# proof
assert torch.equal(before, game.generator.weight)
