# SGD with momentum, where a group in float32 still learns
import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(16, 64).to(torch.bfloat16), nn.Linear(64, 1)
groups = [*body.parameters(), *head.parameters()]
optimizer = torch.optim.SGD(groups, lr=1e-5, momentum=0.9)
for _ in range(60):
    x = torch.randn(32, 16)
    optimizer.zero_grad()
    nn.functional.mse_loss(head(body(x.bfloat16()).relu().float()), x.sum(1, keepdim=True)).backward()
    optimizer.step()  # run: smaller than the rounding
