# gradients that accumulate over batches are clipped before the step that some of them take
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    (model(torch.randn(8, 4)).square().mean() / 2).backward()
    if step % 2:
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
        optimizer.zero_grad()
