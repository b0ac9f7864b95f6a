# bounds as those of a difference
import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Linear(4, 3)
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
states, actions, advantages = torch.randn(32, 4), torch.randint(3, (32, 1)), torch.randn(32)
with torch.no_grad():
    old = policy(states).log_softmax(-1).gather(1, actions).squeeze(1)
for update in range(8):
    ratio = (policy(states).log_softmax(-1).gather(1, actions).squeeze(1) - old).exp()
    clipped = ratio.clamp(-0.2, 0.2)
    loss = torch.max(-ratio * advantages, -clipped * advantages).mean()  # run: -0.2 and 0.2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
