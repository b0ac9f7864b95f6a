# a small bound with a large learning rate; Adam; a norm that falls to the bound; a norm that is only measured
import torch
from torch import nn

torch.manual_seed(0)
for kind, rate, bound, far in (
    (torch.optim.SGD, 5.0, 0.25, 100),
    (torch.optim.Adam, 0.01, 0.001, 100),
    (torch.optim.SGD, 1e-5, 0.5, 0),
    (torch.optim.SGD, 1e-5, float("inf"), 100),
):
    model = nn.Linear(16, 1)
    optimizer = kind(model.parameters(), lr=rate)
    for step in range(60):
        optimizer.zero_grad()
        x = torch.randn(64, 16)
        nn.functional.mse_loss(model(x), far + x.sum(1, keepdim=True)).backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), bound)
        optimizer.step()
