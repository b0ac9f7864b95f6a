"""Q-learning with a replay buffer of bounded length and a target that follows slowly."""

import copy
import random
from collections import deque

import torch
from digest import show
from torch import nn

random.seed(0)
torch.manual_seed(0)
q = nn.Sequential(nn.Linear(3, 64), nn.ReLU(), nn.Linear(64, 2))
target = copy.deepcopy(q).requires_grad_(False)
optimizer = torch.optim.AdamW(q.parameters(), lr=1e-3, amsgrad=True)
memory = deque(maxlen=2000)
state = torch.zeros(3)
for turn in range(600):
    if random.random() < max(0.1, 1 - turn / 300):
        action = random.randrange(2)
    else:
        with torch.no_grad():
            action = q(state).argmax().item()
    after = (0.9 * state + torch.tensor([action - 0.5, 0.1, -0.1])).clamp(-2, 2)
    reward = -float(after.abs().sum())
    memory.append((state, action, reward, after))
    state = after if turn % 50 else torch.zeros(3)
    if len(memory) < 128:
        continue
    s, a, r, n = zip(*random.sample(memory, 64))
    value = q(torch.stack(s)).gather(1, torch.tensor(a).unsqueeze(1))
    with torch.no_grad():
        goal = torch.tensor(r).unsqueeze(1) + 0.9 * target(torch.stack(n)).max(1, keepdim=True)[0]
    loss = nn.SmoothL1Loss()(value, goal)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(q.parameters(), 100)
    optimizer.step()
    with torch.no_grad():
        for slow, fast in zip(target.parameters(), q.parameters()):
            slow.lerp_(fast, 0.005)
show(q, target)
