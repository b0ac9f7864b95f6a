import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class QNet(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.l1 = nn.Linear(obs, 64)
        self.l2 = nn.Linear(64, act)

    def forward(self, s):
        return self.l2(F.relu(self.l1(s)))


class Agent:
    def __init__(self, obs=4, act=2, gamma=0.99):
        self.q = QNet(obs, act)
        self.q_target = QNet(obs, act)
        self.q_target.load_state_dict(self.q.state_dict())
        self.optim = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.buffer = deque(maxlen=5000)
        self.gamma = gamma
        self.act = act
        self.losses = []

    def choose(self, state, eps):
        if random.random() < eps:
            return random.randrange(self.act)
        with torch.no_grad():
            return self.q(state.unsqueeze(0)).argmax(1).item()

    def learn(self, n=32):
        batch = random.sample(self.buffer, n)
        s, a, r, s2, done = zip(*batch)
        s, s2 = torch.stack(s), torch.stack(s2)
        a = torch.tensor(a).unsqueeze(1)
        r = torch.tensor(r)
        done = torch.tensor(done, dtype=torch.float32)
        q = self.q(s).gather(1, a).squeeze(1)
        target = r + self.gamma * (1 - done) * self.q_target(s2).max(1)[0]  # check: gradient-leaks-into-frozen
        loss = F.smooth_l1_loss(q, target)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        self.losses.append(loss)  # check: loss-keeps-graph

    def sync(self):
        self.q_target.load_state_dict(self.q.state_dict())


agent = Agent()
state = torch.randn(4)
for t in range(200):
    action = agent.choose(state, 0.1)
    nxt = torch.randn(4)
    agent.buffer.append((state, action, random.random(), nxt, t % 20 == 19))
    state = nxt
    if len(agent.buffer) >= 64:
        agent.learn()
    if t % 50 == 0:
        agent.sync()
