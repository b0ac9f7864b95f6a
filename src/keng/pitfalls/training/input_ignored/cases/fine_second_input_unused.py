# one of two inputs is unused: it can be meant for a subclass or a loss
import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 1)

    def forward(self, x, ages):
        return self.fc(x)


model = Regressor()
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(10):
    x, ages = torch.randn(12, 6), torch.rand(12)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x, ages), x.sum(1, keepdim=True)).backward()
    optimizer.step()
