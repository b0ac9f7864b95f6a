"""An off-policy actor with two critics, after https://github.com/EdanToledo/Stoix/issues/72."""

import copy

import torch
from torch import nn
from torch.nn import functional as F

WALKERS, HORIZON, ROUNDS, BATCH, GAMMA, TAU, SEED = 24, 20, 20, 64, 0.95, 0.02, 11
torch.manual_seed(SEED)


class Puck:
    """A puck on a table is pushed towards the middle; what is observed as its reward is noisy."""

    def __init__(self, count, noise):
        self.count, self.noise = count, noise

    def reset(self):
        self.state = torch.cat([torch.rand(self.count, 2) * 4 - 2, torch.zeros(self.count, 2)], 1)
        return self.state

    def step(self, action):
        place, speed = self.state.split(2, 1)
        speed = 0.8 * speed + 0.3 * action
        place = (place + speed).clamp(-3, 3)
        self.state = torch.cat([place, speed], 1)
        reward = -place.norm(dim=1) - 0.05 * action.square().sum(1) + self.noise * torch.randn(self.count)
        return self.state, reward


class Actor(nn.Sequential):
    def __init__(self, width=32):
        super().__init__(nn.Linear(4, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 2), nn.Tanh())


class Critic(nn.Module):
    def __init__(self, seed, width=32):
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        self.layers = nn.ModuleList([nn.Linear(6, width), nn.Linear(width, width), nn.Linear(width, 1)])
        for layer in self.layers:
            nn.init.orthogonal_(layer.weight, 2**0.5, generator=generator)
            nn.init.zeros_(layer.bias)

    def forward(self, state, action):
        x = torch.cat([state, action], -1)
        for layer in self.layers[:-1]:
            x = layer(x).relu()
        return self.layers[-1](x).squeeze(-1)


class Replay:
    def __init__(self):
        self.parts = []

    def add(self, *items):
        self.parts.append(items)

    def freeze(self):
        self.all = [torch.cat(items) for items in zip(*self.parts)]

    def sample(self, count):
        index = torch.randint(len(self.all[0]), (count,))
        return [items[index] for items in self.all]


@torch.no_grad()
def collect(env, actor, replay, spread):
    state = env.reset()
    for _ in range(HORIZON):
        action = (actor(state) + spread * torch.randn(len(state), 2)).clamp(-1, 1)
        following, reward = env.step(action)
        replay.add(state, action, reward, following)
        state = following
    replay.freeze()


@torch.no_grad()
def evaluate(actor, critics):
    """Discounted return without noise, and what the critics say of the first states."""
    env = Puck(200, 0.0)
    state = env.reset()
    value = torch.stack([critic(state, actor(state)) for critic in critics]).amin(0)
    total = torch.zeros(200)
    for t in range(100):
        state, reward = env.step(actor(state))
        total += GAMMA**t * reward
    return total.mean().item(), value.mean().item(), (value - total).abs().mean().item()


env, replay = Puck(WALKERS, 2.0), Replay()
actor = Actor()
critics = nn.ModuleList(Critic(SEED) for _ in range(2))  # any: parameters-stay-equal
slow_actor, slow_critics = copy.deepcopy(actor), copy.deepcopy(critics)
actor_optimizer = torch.optim.Adam(actor.parameters(), lr=1e-3)
critic_optimizer = torch.optim.Adam(critics.parameters(), lr=2e-3)
for turn in range(ROUNDS):
    collect(env, actor, replay, 1.0 if turn < 3 else 0.3)
    for update in range(HORIZON):
        state, action, reward, following = replay.sample(BATCH)
        with torch.no_grad():
            noise = (0.2 * torch.randn_like(action)).clamp(-0.5, 0.5)
            next_action = (slow_actor(following) + noise).clamp(-1, 1)
            target = reward + GAMMA * torch.stack([critic(following, next_action) for critic in slow_critics]).amin(0)
        critic_loss = sum(F.mse_loss(critic(state, action), target) for critic in critics)
        critic_optimizer.zero_grad()
        critic_loss.backward()
        critic_optimizer.step()
        if update % 2:
            actor_loss = -critics[0](state, actor(state)).mean()
            actor_optimizer.zero_grad()
            actor_loss.backward()
            actor_optimizer.step()
            with torch.no_grad():
                for slow, fast in ((slow_actor, actor), (slow_critics, critics)):
                    for old, new in zip(slow.parameters(), fast.parameters()):
                        old.lerp_(new, 2 * TAU)
    if turn % 6 == 1:
        earned, said, apart = evaluate(actor, critics)
        print(f"round {turn + 1} loss {critic_loss.item():.4f} return {earned:.4f} value {said:.4f} apart {apart:.4f}")
with torch.no_grad():
    first, second = (critic(state, action) for critic in critics)
print(f"mean distance of the two critics {(first - second).abs().mean():.4f}")
weights = [*actor.parameters(), *critics.parameters()]
print(f"checksum {sum(p.double().sum() for p in weights).item():.6f}")
