# a batch that is skipped; cleared twice; the gradients of the other model; a phase that begins later; a closure
import torch
from torch import nn

torch.manual_seed(0)
maker, critic, late = nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(4, 1)
of_maker = torch.optim.SGD(maker.parameters(), lr=0.1)
of_critic = torch.optim.SGD(critic.parameters(), lr=0.1)
other = nn.Linear(4, 1)
of_late = torch.optim.SGD(late.parameters(), lr=0.1)
by_closure = torch.optim.LBFGS(other.parameters(), max_iter=2)


def closure():
    by_closure.zero_grad()
    loss = other(torch.ones(2, 4)).square().mean()
    loss.backward()
    return loss


for step in range(5):
    fake = maker(torch.randn(8, 4))
    of_maker.zero_grad()
    loss = -critic(fake).mean()
    loss.backward()
    if step == 1:
        of_maker.zero_grad()
    of_maker.step()
    of_maker.zero_grad()
    of_critic.zero_grad()
    (critic(fake.detach()).mean() - critic(torch.randn(8, 4)).mean()).backward()
    of_critic.step()
    of_critic.zero_grad()
    of_late.zero_grad()
    if step > 2:
        late(torch.randn(8, 4)).square().mean().backward()
        of_late.step()
    other.zero_grad()
    by_closure.step(closure)
