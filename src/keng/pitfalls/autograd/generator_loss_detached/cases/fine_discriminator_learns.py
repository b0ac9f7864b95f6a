# the discriminator's loss; both networks in one optimizer; a term that reaches the generator too
import torch
from torch import nn
from torch.nn import functional as F

g, d = nn.Linear(8, 16), nn.Linear(16, 1)
g_opt, d_opt = torch.optim.Adam(g.parameters()), torch.optim.Adam(d.parameters())
both = torch.optim.Adam([*g.parameters(), *d.parameters()])
for step in range(2):
    real, fake = torch.rand(4, 16), g(torch.randn(4, 8))
    d_loss = F.softplus(d(fake.detach())).mean() + F.softplus(-d(real)).mean()
    d_opt.zero_grad()
    d_loss.backward()
    d_opt.step()
    judged = d(fake)
    g_loss = F.softplus(-judged).mean() + (fake - fake.detach()).square().mean()
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    shared = F.softplus(d(g(torch.randn(4, 8)).detach())).mean()
    both.zero_grad()
    shared.backward()
    both.step()
