import torch
import torch.nn as nn
from torch.distributions import Normal


class Policy(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, act))
        self.log_std = torch.zeros(act, requires_grad=True)  # check: module-not-registered
        self.v = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, 1))

    def dist(self, s):
        return Normal(self.mu(s), self.log_std.exp())


class Buffer:
    def __init__(self):
        self.obs, self.act, self.logp, self.rew, self.val = [], [], [], [], []

    def add(self, *row):
        for store, x in zip((self.obs, self.act, self.logp, self.rew, self.val), row):
            store.append(x)

    def tensors(self):
        return [torch.stack(x) for x in (self.obs, self.act, self.logp, self.rew, self.val)]


def rollout(policy, steps, obs=6):
    buf, s = Buffer(), torch.randn(obs)
    with torch.no_grad():
        for _ in range(steps):
            d = policy.dist(s)
            a = d.sample()
            r = -s.pow(2).sum() - a.pow(2).sum()
            buf.add(s, a, d.log_prob(a).sum(), r, policy.v(s)[0])
            s = torch.randn(obs)
    return buf.tensors()


def update(policy, opt, data, clip=0.2):
    s, a, old, r, val = data
    adv = r - val
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    for _ in range(4):
        logp = policy.dist(s).log_prob(a).sum(-1)
        ratio = (logp - old).exp()
        pl = -torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
        vl = nn.functional.mse_loss(policy.v(s).squeeze(), r)  # check: squeezed-without-dim
        opt.zero_grad()
        (pl + 0.5 * vl).backward()
        total = nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        opt.step()
        if total == float('nan'):  # check: nan-compared
            raise RuntimeError('nan gradient')


policy = Policy(6, 2)
opt = torch.optim.Adam(policy.parameters(), lr=3e-4)
for it in range(3):
    update(policy, opt, rollout(policy, 64))
