# the good program of the page with its training
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 16), nn.ReLU())
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.encoder(x))


torch.manual_seed(0)
model = Model()
optimizer = torch.optim.Adam(model.parameters())
for step in range(8):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(torch.randn(16, 4)), torch.randint(3, (16,))).backward()
    optimizer.step()
