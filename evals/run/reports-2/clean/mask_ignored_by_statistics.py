"""Advantages are normalized with a mask that nobody reads, after Denys88/rl_games pull 365."""

import torch
from digest import show
from torch import nn


class MovingStats(nn.Module):
    def __init__(self, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(1))
        self.register_buffer("var", torch.ones(1))

    def forward(self, x, mask=None):
        if self.training:
            rows = x if mask is None else x[mask]
            self.mean.lerp_(rows.mean(), self.momentum)
            self.var.lerp_(rows.var(), self.momentum)
        return (x - self.mean) / (self.var + 1e-5).sqrt()


torch.manual_seed(13)
policy = nn.GRU(5, 24, batch_first=True)
head = nn.Linear(24, 3)
stats = MovingStats()
optimizer = torch.optim.Adam([*policy.parameters(), *head.parameters()], lr=2e-3)
for update in range(80):
    obs = torch.randn(16, 12, 5)
    mask = torch.arange(12) < torch.randint(3, 13, (16, 1))
    logp = head(policy(obs * mask[..., None])[0]).log_softmax(-1)
    action = torch.multinomial(logp.detach().exp().flatten(0, 1), 1).view(16, 12, 1)
    advantage = (obs[..., :3].gather(-1, action).squeeze(-1) + 2) * mask
    weight = stats(advantage, mask)
    loss = -(logp.gather(-1, action).squeeze(-1) * weight)[mask].mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if update % 20 == 19:
        print(update, f"{loss.item():.4f}")
show(policy, head, stats)
