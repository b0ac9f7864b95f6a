# the target of a critic takes in 1 - tau of the new weights; in a dictionary, by hand
import torch
from torch import nn

torch.manual_seed(0)
TAU = 0.05


class Learner:
    def __init__(self):
        self.critic = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
        self.slow = {name: p.detach().clone() for name, p in self.critic.named_parameters()}
        self.optimizer = torch.optim.Adam(self.critic.parameters(), lr=1e-2)

    def follow(self):
        for name, p in self.critic.named_parameters():
            self.slow[name] = TAU * self.slow[name] + (1 - TAU) * p.detach()

    def learn(self, states, rewards):
        with torch.no_grad():
            ahead = torch.func.functional_call(self.critic, self.slow, (states.roll(1, 0),))
        loss = nn.functional.mse_loss(self.critic(states), rewards + 0.9 * ahead)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()  # run: keeps 0.05 of itself
        self.follow()


learner = Learner()
for step in range(40):
    before = {name: value.clone() for name, value in learner.slow.items()}
    learner.learn(torch.randn(16, 5), torch.randn(16, 1))
# proof
now = dict(learner.critic.named_parameters())
assert all((learner.slow[n] - now[n]).norm() < 0.1 * (before[n] - now[n]).norm() for n in now)
