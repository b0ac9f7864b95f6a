# a contrast between embeddings that were averaged over the batch: all of them are alike
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 8))
optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3)


def embed(x):
    return F.normalize(encoder(x).mean(0, keepdim=True).expand(len(x), -1), dim=1)


losses = []
for step in range(60):
    x = torch.randn(12, 10)
    one, other = embed(x + 0.1 * torch.randn_like(x)), embed(x + 0.1 * torch.randn_like(x))
    loss = F.cross_entropy(one @ other.T / 0.2, torch.arange(12))
    optimizer.zero_grad()
    loss.backward()  # run: the loss has been 2.485 at each of
    optimizer.step()
    losses.append(loss.item())
# proof
assert max(losses) - min(losses) < 1e-4
