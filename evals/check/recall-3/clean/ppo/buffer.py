import torch


class Buffer:
    def __init__(self, horizon, obs_dim, device="cpu"):
        self.obs = torch.zeros(horizon, obs_dim, device=device)
        self.act = torch.zeros(horizon, dtype=torch.long, device=device)
        self.logp = torch.zeros(horizon, device=device)
        self.val = torch.zeros(horizon + 1, device=device)
        self.rew = torch.zeros(horizon, device=device)
        self.mask = torch.zeros(horizon, device=device)
        self.i = 0

    def add(self, obs, act, logp, val, rew, done):
        i = self.i
        self.obs[i], self.act[i], self.logp[i], self.val[i] = obs, act, logp, val
        self.rew[i], self.mask[i] = rew, 1.0 - done
        self.i += 1

    def advantages(self, last, gamma=0.99, lam=0.95):
        self.val[-1] = last
        adv = torch.zeros_like(self.rew)
        acc = 0.0
        for t in reversed(range(len(self.rew))):
            delta = self.rew[t] + gamma * self.val[t + 1] * self.mask[t] - self.val[t]
            acc = delta + gamma * lam * self.mask[t] * acc
            adv[t] = acc
        self.i = 0
        return adv, adv + self.val[:-1]
