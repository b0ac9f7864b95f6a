# sampled with a temperature that the loss does not have
import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))
nn.init.normal_(policy[2].weight)
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
states, advantages = torch.randn(32, 4), torch.randn(32)
with torch.no_grad():
    probabilities = (policy(states) / 0.3).softmax(-1)
    actions = torch.multinomial(probabilities, 1)
    old = probabilities.log().gather(1, actions).squeeze(1)
for update in range(8):
    ratio = (policy(states).log_softmax(-1).gather(1, actions).squeeze(1) - old).exp()
    loss = -torch.min(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages).mean()  # run: before the first optimizer step
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
