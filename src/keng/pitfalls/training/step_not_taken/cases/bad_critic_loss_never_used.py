# the loss of a critic is computed and printed, and its optimizer only cleared
import torch
from torch import nn

torch.manual_seed(0)
actor, critic = nn.Linear(4, 2), nn.Linear(2, 1)
actor_optimizer = torch.optim.Adam(actor.parameters(), lr=0.01)
critic_optimizer = torch.optim.Adam(critic.parameters(), lr=0.01)
first = critic.weight.detach().clone()
for step in range(30):
    x = torch.randn(8, 4)
    actor_optimizer.zero_grad()
    (-critic(actor(x)).mean() + actor(x).square().mean()).backward()
    actor_optimizer.step()
    critic_optimizer.zero_grad()  # run: `critic_optimizer` has cleared
    wrong = (critic(actor(x).detach()) - x.sum(1, keepdim=True)).square().mean()
    if step % 10 == 0:
        print(wrong.item())
# proof
assert critic.weight.equal(first)
