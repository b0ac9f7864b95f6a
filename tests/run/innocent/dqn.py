"""Q-learning: a replay memory of plain tuples, a network that acts in eval mode, targets without a graph."""

import random
from collections import deque

import torch
from torch import nn

random.seed(0)
torch.manual_seed(0)
online = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
target = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
target.load_state_dict(online.state_dict())
target.eval()
optimizer = torch.optim.RMSprop(online.parameters(), lr=1e-3)
memory = deque(maxlen=200)
state = torch.randn(3)
for step in range(60):
    if random.random() < max(0.1, 1 - step / 40):
        action = random.randrange(2)
    else:
        online.eval()
        with torch.no_grad():
            action = online(state).argmax().item()
        online.train()
    after, reward = torch.randn(3), float(action == int(state[0] > 0))
    memory.append((state, action, reward, after))
    state = after
    if len(memory) < 16:
        continue
    states, actions, rewards, afters = zip(*random.sample(memory, 16))
    actions = torch.tensor(actions).unsqueeze(1)
    q = online(torch.stack(states)).gather(1, actions).squeeze(1)
    with torch.no_grad():
        wanted = torch.tensor(rewards) + 0.9 * target(torch.stack(afters)).max(1).values
    loss = nn.functional.smooth_l1_loss(q, wanted)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(online.parameters(), 1.0)
    optimizer.step()
    if step % 20 == 0:
        target.load_state_dict(online.state_dict())
