# the term without a name of its own, in a loop
import torch
from torch import nn
from torch.nn import functional as F

g, d = nn.Linear(8, 16), nn.Linear(16, 1)
g_opt, d_opt = torch.optim.Adam(g.parameters()), torch.optim.Adam(d.parameters())
for step in range(2):
    real, fake = torch.rand(4, 16), g(torch.randn(4, 8))
    judged = d(fake.detach())
    g_loss = F.mse_loss(judged, torch.ones_like(judged)) + F.l1_loss(fake, real)  # check: no gradient
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    d_opt.zero_grad()
    a, b = d(real), d(fake.detach())
    (F.mse_loss(a, torch.ones_like(a)) + F.mse_loss(b, torch.zeros_like(b))).backward()
    d_opt.step()

# proof
assert not F.mse_loss(d(fake.detach()), judged).grad_fn.next_functions[0][0] is None
