"""Observations are normalized by running statistics that replayed batches move too, after RoboVerseOrg/RoboVerse pull 783."""

import torch
from digest import show
from torch import nn


class EmpiricalNormalization(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.register_buffer("mean", torch.zeros(shape))
        self.register_buffer("var", torch.ones(shape))
        self.register_buffer("count", torch.tensor(0.0))

    def forward(self, x):
        if self.training:
            self.count += len(x)
            rate = len(x) / self.count
            delta = x.mean(0) - self.mean
            self.mean += rate * delta
            self.var += rate * (x.var(0) - self.var + delta * (x.mean(0) - self.mean))
        return (x - self.mean) / (self.var.sqrt() + 1e-2)


torch.manual_seed(11)
normalizer = EmpiricalNormalization(3)
critic = nn.Sequential(nn.Linear(4, 32), nn.SiLU(), nn.Linear(32, 1))
actor = nn.Sequential(nn.Linear(3, 16), nn.SiLU(), nn.Linear(16, 1), nn.Tanh())
optimizer = torch.optim.AdamW([*critic.parameters(), *actor.parameters()], lr=1e-3)
replay = []
for iteration in range(60):
    obs = torch.randn(32, 3) * torch.tensor([1.0, 5.0, 0.2]) + iteration / 20
    with torch.no_grad():
        action = actor(normalizer(obs)) + 0.1 * torch.randn(32, 1)
    reward = -(action - obs[:, :1].tanh()).square()
    replay.append(torch.cat([obs, action, reward], 1))
    normalizer.eval()
    for _ in range(4):
        batch = torch.cat(replay)[torch.randint(len(replay) * 32, (64,))]
        z = normalizer(batch[:, :3])
        value = critic(torch.cat([z, batch[:, 3:4]], 1))
        wish = -critic(torch.cat([z, actor(z)], 1)).mean()
        loss = nn.functional.mse_loss(value, batch[:, 4:]) + 0.1 * wish
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    normalizer.train()
    if iteration % 20 == 19:
        print(iteration, f"{loss.item():.4f}")
show(normalizer, actor, critic)
