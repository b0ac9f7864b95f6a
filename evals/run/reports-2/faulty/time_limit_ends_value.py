"""DDPG's critic and a limit of time, after openai/baselines issue 436."""

import torch
from digest import show
from torch import nn

LIMIT, GAMMA = 10, 0.9


class Track:
    """A point that is rewarded for being near zero. It falls off beyond 3, and an episode has LIMIT steps."""

    def reset(self):
        self.x, self.t = torch.randn(1), 0
        return self.x.clone()

    def step(self, action):
        self.x, self.t = self.x + 0.3 * action + 0.05 * torch.randn(1), self.t + 1
        fell = bool(self.x.abs() > 3)
        return self.x.clone(), float(1 - self.x.abs()), fell, self.t >= LIMIT


torch.manual_seed(6)
actor = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1), nn.Tanh())
critic = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 1))
target = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 1))
target.load_state_dict(critic.state_dict())
opt_a, opt_c = torch.optim.Adam(actor.parameters(), lr=1e-3), torch.optim.Adam(critic.parameters(), lr=2e-3)
env, memory = Track(), []
state = env.reset()
for step in range(400):
    with torch.no_grad():
        action = (actor(state) + 0.2 * torch.randn(1)).clamp(-1, 1)
    following, reward, terminated, truncated = env.step(action)
    done = terminated or truncated
    memory.append(torch.cat([state, action, torch.tensor([reward]), following, torch.tensor([float(done)])]))  # run: -
    state = env.reset() if done else following
    if len(memory) < 32:
        continue
    s, a, r, n, d = torch.stack([memory[i] for i in torch.randint(len(memory), (32,))]).split(1, 1)
    with torch.no_grad():
        goal = r + GAMMA * (1 - d) * target(torch.cat([n, actor(n)], 1))
    loss = nn.functional.mse_loss(critic(torch.cat([s, a], 1)), goal)
    opt_c.zero_grad()
    loss.backward()
    opt_c.step()
    opt_a.zero_grad()
    (-critic(torch.cat([s, actor(s)], 1)).mean()).backward()
    opt_a.step()
    with torch.no_grad():
        for t, p in zip(target.parameters(), critic.parameters()):
            t.lerp_(p, 0.02)
    if step % 100 == 99:
        print(step, f"{loss.item():.4f}")
show(actor, critic)
