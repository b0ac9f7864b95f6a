# a hard choice between two layers
import torch
from torch import nn


class Quantized(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))
        self.table = nn.Embedding(3, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        chosen = self.gate(x).argmax(-1)  # run: this operation returns a tensor without its graph
        return self.out(self.table(chosen))


torch.manual_seed(0)
model = Quantized()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(12):
    x = torch.randn(16, 4)
    loss = nn.functional.mse_loss(model(x), x[:, :1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
