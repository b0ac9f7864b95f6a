# advantages (N, 1) over the last dimension
import torch
from torch import nn

torch.manual_seed(0)
score, head = nn.Linear(6, 1), nn.Linear(6, 3)
optimizer = torch.optim.Adam([*score.parameters(), *head.parameters()], lr=1e-2)
for step in range(6):
    x = torch.randn(24, 6)
    logp = head(x).log_softmax(1)
    gain = score(x)
    away = gain.detach() - gain.detach().mean(-1, keepdim=True)
    scale = gain.detach().var(-1, keepdim=True, correction=0)  # run: over dimension 1 is that of one value
    loss = -(logp[:, :1] * away / (scale + 1e-6)).mean() + gain.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# proof
assert not scale.any()
