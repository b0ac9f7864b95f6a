# a method detaches its samples for the critic alone; the advantage of a policy has no graph
import torch
from torch import nn


class Game:
    def __init__(self):
        self.generator, self.critic = nn.Linear(2, 2), nn.Linear(2, 1)
        self.generator_optimizer = torch.optim.SGD(self.generator.parameters(), lr=0.1)
        self.critic_optimizer = torch.optim.SGD(self.critic.parameters(), lr=0.1)

    def sample(self, n, learns):
        made = self.generator(torch.randn(n, 2))
        return made if learns else made.detach()

    def play(self, real):
        self.critic_optimizer.zero_grad()
        fake = self.sample(4, learns=False)
        (self.critic(fake).mean() - self.critic(real).mean()).backward()
        self.critic_optimizer.step()
        self.generator_optimizer.zero_grad()
        (-self.critic(self.sample(4, learns=True)).mean()).backward()
        self.generator_optimizer.step()


game = Game()
for real in torch.ones(3, 4, 2):
    game.play(real)

actor, value = nn.Linear(3, 2), nn.Linear(3, 1)
actor_optimizer = torch.optim.SGD(actor.parameters(), lr=0.1)
value_optimizer = torch.optim.SGD(value.parameters(), lr=0.1)
states, returns = torch.randn(8, 3), torch.randn(8, 1)
advantage = returns - value(states)
actor_optimizer.zero_grad()
(actor(states).log_softmax(1)[:, :1] * advantage.detach()).mean().neg().backward()
actor_optimizer.step()
value_optimizer.zero_grad()
advantage.square().mean().backward()
value_optimizer.step()
