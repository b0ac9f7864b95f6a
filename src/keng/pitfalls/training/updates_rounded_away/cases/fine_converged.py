# weights that have converged
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(16, 1).to(torch.bfloat16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(60):
    x = torch.randn(32, 16, dtype=torch.bfloat16)
    optimizer.zero_grad()
    (1e-8 * model(x).square().mean()).backward()
    optimizer.step()
