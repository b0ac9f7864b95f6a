# the clipped loss of PPO, with the values of the critic
import torch
from torch import nn

torch.manual_seed(0)
actor, critic = nn.Linear(4, 3), nn.Linear(4, 1)
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=0.01)


def surrogate(ratio, gain):
    return -torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()  # run: also changes the critic


states, actions, returns = torch.randn(32, 4), torch.randint(3, (32, 1)), torch.randn(32)
with torch.no_grad():
    old = actor(states).log_softmax(-1).gather(1, actions).squeeze(1)
for update in range(4):
    ratio = (actor(states).log_softmax(-1).gather(1, actions).squeeze(1) - old).exp()
    gain = returns - critic(states).squeeze(1)
    loss = surrogate(ratio, gain) + 0.5 * gain.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
