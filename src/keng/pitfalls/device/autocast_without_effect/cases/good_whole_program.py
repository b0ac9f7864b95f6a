# the good program of the page with its training
import torch
from torch import nn


class Fast(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 4))

    def forward(self, x):
        return nn.functional.linear(x, self.weight)


torch.manual_seed(0)
model = Fast()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = model(torch.randn(8, 4))
        loss = nn.functional.cross_entropy(out, torch.randint(3, (8,)))
    loss.backward()
    optimizer.step()
assert out.dtype is torch.bfloat16
