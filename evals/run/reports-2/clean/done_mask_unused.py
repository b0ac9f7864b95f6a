"""Q-learning whose target never asks whether the episode was over, after seungeunrho/minimalRL pull 21."""

import random

import torch
from digest import show
from torch import nn

random.seed(7)
torch.manual_seed(7)


class ReplayBuffer:
    def __init__(self):
        self.rows = []

    def put(self, row):
        self.rows.append(row)

    def sample(self, n):
        s, a, r, n_, done = zip(*random.sample(self.rows, n))
        mask = torch.tensor([[0.0] if d else [1.0] for d in done])
        return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(n_), mask


def train(q, q_target, memory, optimizer):
    for _ in range(4):
        s, a, r, s_prime, done_mask = memory.sample(32)
        with torch.no_grad():
            best = q_target(s_prime).max(1, keepdim=True)[0]
            target = r + 0.95 * best * done_mask
        loss = nn.functional.smooth_l1_loss(q(s).gather(1, a), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def net():
    return nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 2))


q, q_target, memory = net(), net(), ReplayBuffer()
q_target.load_state_dict(q.state_dict())
optimizer = torch.optim.Adam(q.parameters(), lr=2e-3)
for episode in range(60):
    place, done = 0, False
    while not done:
        s = nn.functional.one_hot(torch.tensor(place), 6).float()
        action = random.randrange(2) if random.random() < 0.3 else int(q(s).argmax())
        place = min(5, place + 1) if action else max(0, place - 1)
        done = place == 5 or random.random() < 0.05
        n = nn.functional.one_hot(torch.tensor(place), 6).float()
        memory.put((s, [action], [1.0 if place == 5 else 0.0], n, done))
    if len(memory.rows) > 64:
        loss = train(q, q_target, memory, optimizer)
    if episode % 10 == 9:
        q_target.load_state_dict(q.state_dict())
        print(episode, f"{loss:.5f}" if len(memory.rows) > 64 else "")
show(q)
