# the mean over the pixels and a penalty of activations that is summed over the batch
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


class Sparse(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.outer = nn.Linear(20, 32), nn.Linear(32, 20)

    def forward(self, x):
        codes = self.inner(x).relu()
        return self.outer(codes), codes


def objective(rebuilt, x, codes):
    penalty = 0.5 * codes.abs().sum()  # run: the loss adds a mean over 24 x 20 values
    return F.mse_loss(rebuilt, x) + penalty


model = Sparse()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data = torch.randn(72, 20)
used = []
for epoch in range(30):
    for x in data.split(24):
        rebuilt, codes = model(x)
        loss = objective(rebuilt, x, codes)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    used.append((model(data)[1] > 0).float().mean().item())
# proof
assert used[-1] < 0.1
