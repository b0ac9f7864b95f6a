import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

G, D, E = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 4)
judge = nn.Sequential(nn.Linear(8, 8), nn.Tanh()).eval()
judge.requires_grad_(False)
opt_ge = torch.optim.Adam([*G.parameters(), *E.parameters()], 1e-3)
opt_d = torch.optim.Adam(D.parameters(), 1e-3)
loader = DataLoader(torch.randn(40, 8), 8, shuffle=True)
best, curve, window = None, [], []
for epoch in range(2):
    for x in loader:
        for _ in range(2):
            with torch.no_grad():
                fake = G(torch.randn(len(x), 4))
            d_loss = F.softplus(D(fake)).mean() + F.softplus(-D(x)).mean()
            opt_d.zero_grad()
            d_loss.backward()
            opt_d.step()
        z = E(x)
        rec = G(z)
        ge_loss = F.mse_loss(rec, x) + F.mse_loss(judge(rec), judge(x)) + F.softplus(-D(rec)).mean()
        opt_ge.zero_grad()
        ge_loss.backward()
        opt_ge.step()
        curve.append(float(ge_loss))
        window = [*window, ge_loss.detach()][-10:]
        best = ge_loss.detach() if best is None else torch.minimum(best, ge_loss.detach())
    print(epoch, sum(curve) / len(curve), torch.stack(window).mean().item(), best.item())

teacher, student = nn.Linear(8, 3), nn.Linear(8, 3)
params = [{'params': student.parameters()}, {'params': teacher.parameters(), 'lr': 1e-4}]
mutual = torch.optim.SGD(params, lr=0.1)
for x in loader:
    a, b = student(x), teacher(x)
    loss = F.mse_loss(a, b) + F.cross_entropy(b, torch.zeros(len(x), dtype=torch.long))
    mutual.zero_grad()
    loss.backward()
    mutual.step()
