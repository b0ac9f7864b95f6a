# %%
import torch
import torch.nn as nn
from torch.optim import RMSprop

G = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.BatchNorm1d(64), nn.Linear(64, 2))
C = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 1))
g_opt, c_opt = RMSprop(G.parameters(), 5e-5), RMSprop(C.parameters(), 5e-5)
real_data = torch.randn(1000, 2) * 0.5 + 2

# %%
g_hist = []
for it in range(50):
    for _ in range(5):
        real = real_data[torch.randint(0, 1000, (64,))]
        fake = G(torch.randn(64, 8))  # check: gradient-leaks-into-frozen
        c_loss = C(fake).mean() - C(real).mean()
        c_opt.zero_grad()
        c_loss.backward()
        c_opt.step()
        for p in C.parameters():
            p.data.clamp_(-0.01, 0.01)
    g_loss = -C(G(torch.randn(64, 8))).mean()
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    g_hist.append(g_loss)  # check: loss-keeps-graph
    if it % 20 == 0:
        G.eval()  # check: train-mode-not-restored
        with torch.no_grad():
            print(it, G(torch.randn(4, 8)))

# %%
import matplotlib.pyplot as plt
plt.plot([float(v) for v in g_hist])
