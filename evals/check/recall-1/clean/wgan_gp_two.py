import torch
from torch import autograd, nn

G = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
D = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 1))
g_opt, d_opt = torch.optim.Adam(G.parameters(), 1e-4), torch.optim.Adam(D.parameters(), 1e-4)


def penalty(real, fake):
    a = torch.rand(len(real), 1)
    mix = (a * real + (1 - a) * fake).requires_grad_(True)
    (g,) = autograd.grad(D(mix).sum(), mix, create_graph=True, retain_graph=True)
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


def loop(it):
    for _ in range(3):
        real = torch.randn(32, 2)
        with torch.no_grad():
            fake = G(torch.randn(32, 8))
        d_opt.zero_grad()
        D(fake).mean().backward()
        (-D(real).mean()).backward()
        (10 * penalty(real, fake)).backward()
        d_opt.step()
    for p in D.parameters():
        p.requires_grad_(False)
    g_opt.zero_grad()
    loss = -D(G(torch.randn(32, 8))).mean()
    loss.backward()
    g_opt.step()
    for p in D.parameters():
        p.requires_grad_(True)
    return loss.item()


print([loop(i) for i in range(3)])

# two losses over one trunk, each gone back through on its own
trunk, h1, h2 = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
opt = torch.optim.SGD([*trunk.parameters(), *h1.parameters(), *h2.parameters()], 0.1)
for _ in range(3):
    x = torch.randn(5, 4)
    f = torch.relu(trunk(x))
    opt.zero_grad()
    h1(f).mean().backward(retain_graph=True)
    h2(f).pow(2).mean().backward()
    opt.step()
