"""Two agents with a mixing network, after thesouther/MARL issue 8."""

import copy

import torch
from digest import show
from torch import nn


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.Linear(8, 2)
        self.bias = nn.Linear(8, 1)

    def forward(self, values, state):
        return (values * self.weights(state).abs()).sum(1, keepdim=True) + self.bias(state)


class Policy:
    def __init__(self):
        self.eval_net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2 * 3))
        self.target_net = copy.deepcopy(self.eval_net)
        self.eval_qmix_net = Mixer()
        self.target_qmix_net = copy.deepcopy(self.eval_qmix_net)
        parameters = [*self.eval_net.parameters(), *self.eval_qmix_net.parameters()]
        self.optimizer = torch.optim.RMSprop(parameters, lr=2e-3)

    def learn(self, state, actions, reward, after, step):
        values = self.eval_net(state).view(-1, 2, 3).gather(2, actions[:, :, None]).squeeze(2)
        total = self.eval_qmix_net(values, state)
        with torch.no_grad():
            best = self.target_net(after).view(-1, 2, 3).max(2).values
            target = reward + 0.9 * self.target_qmix_net(best, after)
        loss = nn.functional.mse_loss(total, target)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.eval_net.parameters(), 10)
        self.optimizer.step()
        if step % 20 == 19:
            self.target_net.load_state_dict(self.eval_net.state_dict())
            self.target_qmix_net.load_state_dict(self.target_qmix_net.state_dict())  # run: target-network-not-updated
        return loss.item()


torch.manual_seed(0)
policy = Policy()
effects = torch.randn(3, 3)
for step in range(160):
    state = torch.randn(32, 8)
    actions = torch.randint(0, 3, (32, 2))
    reward = effects[actions[:, 0], actions[:, 1]][:, None]
    loss = policy.learn(state, actions, reward, torch.randn(32, 8), step)
    if step % 40 == 0:
        print(step, f"{loss:.3f}")
show(policy.eval_net, policy.target_net, policy.eval_qmix_net, policy.target_qmix_net)
