import torch
import torch.nn.functional as F
from torch import nn, optim


def build():
    return nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))


online = build()
target = build()
target.load_state_dict(online.state_dict())
target.eval()
optimizer = optim.Adam(online.parameters(), lr=1e-3)
smoothed = 0.
trace = []


def optimize(states, actions, rewards, nexts, gamma=0.99):
    q = online(states).gather(1, actions).squeeze(1)
    nq = target(nexts).max(dim=1).values  # check: gradient-leaks-into-frozen
    loss = F.huber_loss(q, rewards + gamma * nq)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


for step in range(50):
    batch = torch.randn(16, 4), torch.randint(0, 2, (16, 1)), torch.rand(16), torch.randn(16, 4)
    loss = optimize(*batch)
    trace.append(loss)  # check: loss-keeps-graph
    smoothed = smoothed * 0.99 + loss * 0.01  # check: loss-keeps-graph
    if step % 10 == 0:
        target.load_state_dict(online.state_dict())
print(smoothed)
