# the advantage is normalized between the two terms
import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Linear(4, 3)
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
for rollout in range(3):
    states, actions = torch.randn(32, 4), torch.randint(3, (32, 1))
    advantages = 3 + torch.randn(32)
    with torch.no_grad():
        old = policy(states).log_softmax(-1).gather(1, actions).squeeze(1)
    for update in range(3):
        ratio = (policy(states).log_softmax(-1).gather(1, actions).squeeze(1) - old).exp()
        first = ratio * advantages
        normalized = (advantages - advantages.mean()) / advantages.std()
        second = torch.clip(ratio, 0.8, 1.2) * normalized
        loss = -torch.min(first, second).mean()  # run: different advantages
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
