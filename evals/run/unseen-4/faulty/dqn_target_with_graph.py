"""Deep Q-learning whose target is of the network that learns, and carries its graph."""

import random
from collections import deque, namedtuple

import torch
from digest import show
from torch import nn
from torch.nn import functional as F

Transition = namedtuple("Transition", "state action reward following done")


class Line:
    """Balance on a line of -1 to 1; pushes to the left and right."""

    def reset(self):
        self.place, self.speed, self.time = random.uniform(-0.3, 0.3), 0.0, 0
        return self.state()

    def state(self):
        return [self.place, self.speed]

    def step(self, action):
        self.speed += 0.02 if action else -0.02
        self.place += self.speed
        self.time += 1
        done = abs(self.place) > 1 or self.time >= 60
        return self.state(), 1.0 - abs(self.place), done


class QNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.out = nn.Linear(2, 32), nn.Linear(32, 32), nn.Linear(32, 2)

    def forward(self, x):
        return self.out(F.relu(self.fc2(F.relu(self.fc1(x)))))


class Agent:
    def __init__(self, gamma=0.97, lr=1e-3, batch=32):
        self.network = QNetwork()
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr)
        self.memory = deque(maxlen=2000)
        self.gamma, self.batch, self.epsilon = gamma, batch, 1.0

    def act(self, state):
        if random.random() < self.epsilon:
            return random.randrange(2)
        with torch.no_grad():
            return self.network(torch.tensor([state])).argmax().item()

    def learn(self):
        rows = Transition(*zip(*random.sample(self.memory, self.batch)))
        states, following = torch.tensor(rows.state), torch.tensor(rows.following)
        actions = torch.tensor(rows.action).unsqueeze(1)
        rewards, done = torch.tensor(rows.reward), torch.tensor(rows.done, dtype=torch.float32)
        q = self.network(states).gather(1, actions).squeeze(1)
        best = self.network(following).max(1).values
        target = rewards + self.gamma * best * (1 - done)
        loss = F.smooth_l1_loss(q, target)  # run: target-requires-grad
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.epsilon = max(0.05, self.epsilon * 0.98)
        return loss.item()


random.seed(3)
torch.manual_seed(3)
agent, world = Agent(), Line()
for episode in range(12):
    state, total, done = world.reset(), 0.0, False
    while not done:
        action = agent.act(state)
        following, reward, done = world.step(action)
        agent.memory.append(Transition(state, action, reward, following, done))
        state, total = following, total + reward
        if len(agent.memory) >= 64:
            agent.learn()
    if episode % 4 == 3:
        print(episode, f"{total:.2f}")
show(agent.network)
