import copy

import torch
import torch.nn.functional as F
from torch import nn


def freeze(net):
    for p in net.parameters():
        p.requires_grad = False
    return net


class Double(nn.Module):
    def __init__(self, obs=4, act=3):
        super().__init__()
        self.one, self.two = nn.Linear(obs, act), nn.Linear(obs, act)
        self.register_buffer('scale', torch.ones(act))

    def forward(self, s):
        return torch.minimum(self.one(s), self.two(s)) * self.scale


class CQL:
    def __init__(self):
        self.q = Double()
        self.target = freeze(copy.deepcopy(self.q))
        self.opt = torch.optim.Adam(self.q.parameters(), 1e-3)
        self.losses, self.loss, self.average = [], None, 0.0

    def update(self, s, a, r, s2):
        best = self.q(s2).argmax(1, keepdim=True)
        wanted = r + 0.99 * self.target(s2).gather(1, best).squeeze(1)
        q = self.q(s)
        td = F.mse_loss(q.gather(1, a).squeeze(1), wanted)
        conservative = (q.logsumexp(1) - q.gather(1, a).squeeze(1)).mean()
        loss = td + 0.1 * conservative
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.loss = loss
        self.average = 0.9 * self.average + 0.1 * loss.item()
        self.losses.append(loss.detach())
        for t, p in zip(self.target.parameters(), self.q.parameters()):
            t.data.copy_(0.99 * t.data + 0.01 * p.data)


class Episodes:
    def __init__(self, net):
        self.net, self.opt = net, torch.optim.SGD(net.parameters(), 0.01)
        self.terms = []

    def step(self, s):
        logp = F.log_softmax(self.net(s), dim=-1).max()
        self.terms.append(logp)

    def finish(self):
        loss = -torch.stack(self.terms).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.terms = []


agent, episodes = CQL(), Episodes(nn.Linear(4, 3))
for i in range(10):
    agent.update(torch.randn(8, 4), torch.randint(0, 3, (8, 1)), torch.rand(8), torch.randn(8, 4))
    episodes.step(torch.randn(4))
    if i % 5 == 4:
        episodes.finish()
