"""Graph convolution and a time series model, both on whole data."""
import torch
from torch import nn
import torch.nn.functional as F


class GCN(nn.Module):
    def __init__(self, i, h, o):
        super().__init__()
        self.w1, self.w2 = nn.Linear(i, h, bias=False), nn.Linear(h, o, bias=False)

    def forward(self, x, adj):
        x = F.relu(adj @ self.w1(x))
        x = F.dropout(x, 0.5, training=self.training)
        return adj @ self.w2(x)


class Forecaster(nn.Module):
    def __init__(self, features=3, hidden=16, horizon=4):
        super().__init__()
        self.gru = nn.GRU(features, hidden, batch_first=True)
        self.out = nn.Linear(hidden, horizon)

    def forward(self, series):
        seq, last = self.gru(series)
        return self.out(last[-1]) + self.out(seq[:, -1])


n = 60
adj = (torch.rand(n, n) < 0.1).float()
adj = ((adj + adj.T + torch.eye(n)) > 0).float()
deg = adj.sum(1).rsqrt()
adj = deg[:, None] * adj * deg[None]
x, y = torch.randn(n, 8), torch.randint(0, 3, (n,))
train_mask = torch.zeros(n, dtype=torch.bool)
train_mask[:30] = True
gcn = GCN(8, 16, 3)
opt = torch.optim.Adam(gcn.parameters(), 0.01, weight_decay=5e-4)
for epoch in range(10):
    gcn.train()
    opt.zero_grad()
    out = gcn(x, adj)
    loss = F.cross_entropy(out[train_mask], y[train_mask])
    loss.backward()
    opt.step()
    gcn.eval()
    with torch.no_grad():
        acc = (gcn(x, adj)[~train_mask].argmax(1) == y[~train_mask]).float().mean()

model = Forecaster()
optimizer = torch.optim.Adam(model.parameters())
series = torch.randn(100, 24, 3).cumsum(1)
target = series[:, -4:, 0]
losses = []
for i in torch.randperm(100).split(20):
    pred = model(series[i, :-4])
    loss = F.huber_loss(pred, target[i])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
print(acc.item(), sum(losses) / len(losses))
