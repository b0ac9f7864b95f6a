# advantages from a value that is a column, in a policy loss that takes the smaller of two terms
import torch
from torch import nn

torch.manual_seed(0)
body, actor, critic = nn.Linear(6, 16), nn.Linear(16, 4), nn.Linear(16, 1)
parameters = [*body.parameters(), *actor.parameters(), *critic.parameters()]
optimizer = torch.optim.Adam(parameters, lr=1e-3)
for _ in range(6):
    states, actions, rewards = torch.randn(32, 6), torch.randint(4, (32, 1)), torch.randn(32)
    hidden = body(states).relu()
    values = critic(hidden)
    logp = actor(hidden).log_softmax(-1).gather(1, actions).squeeze(1)
    ratio = (logp - logp.detach()).exp()
    advantages = rewards - values.detach()  # run: one value here is (32, 1) and the other (32,)
    policy = -torch.min(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages).mean()
    loss = policy + nn.functional.mse_loss(values.squeeze(1), rewards)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# proof
assert advantages.shape == (32, 32)
