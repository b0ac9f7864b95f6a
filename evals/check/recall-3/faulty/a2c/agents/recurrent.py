import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

from .memory import Rollout


class Core(nn.Module):
    def __init__(self, obs, actions, hidden=128):
        super(Core, self).__init__()
        self.encode = nn.Linear(obs, hidden)
        self.rnn = nn.LSTMCell(hidden, hidden)
        self.pi = nn.Linear(hidden, actions)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs, state):
        h, c = self.rnn(torch.relu(self.encode(obs)), state)
        return F.softmax(self.pi(h)), self.v(h), (h, c)  # check: softmax-dim-missing


class RecurrentA2C:
    def __init__(self, obs, actions, lr=7e-4):
        self.net = Core(obs, actions)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=lr)
        self.rollout = Rollout()
        self.state = (torch.zeros(1, 128), torch.zeros(1, 128))

    def act(self, obs):
        obs = torch.as_tensor(obs, dtype=torch.float32).unsqueeze(0)
        probs, value, self.state = self.net(obs, self.state)  # check: backward-twice
        dist = Categorical(probs)
        action = dist.sample()
        self.pending = (dist.log_prob(action), value, dist.entropy())
        return action.item()

    def observe(self, reward):
        log_prob, value, entropy = self.pending
        self.rollout.push(log_prob, value, reward, entropy)

    def learn(self):
        returns = torch.tensor(self.rollout.discounted(0.0))
        values = torch.cat([s.value for s in self.rollout.steps]).squeeze(-1)
        log_probs = torch.cat([s.log_prob for s in self.rollout.steps])
        advantage = returns - values
        actor = -(log_probs * advantage).mean()  # check: gradient-leaks-into-frozen
        critic = advantage.pow(2).mean()
        entropy = torch.stack([s.entropy for s in self.rollout.steps]).mean()
        loss = actor + 0.5 * critic - 0.01 * entropy
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt.step()
        self.rollout.losses.append(loss)  # check: loss-keeps-graph
        self.rollout.clear()
