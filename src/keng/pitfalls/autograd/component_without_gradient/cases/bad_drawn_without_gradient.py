# a latent variable that is drawn without a gradient, between two modules
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.decode = nn.Linear(6, 4), nn.Linear(2, 6)

    def forward(self, x):
        mean, spread = self.encode(x).chunk(2, -1)
        normal = torch.distributions.Normal(mean, spread.exp())
        return self.decode(normal.sample())  # run: `model.encode` is in `optimizer`


torch.manual_seed(0)
model = Model()
optimizer = torch.optim.Adam(model.parameters())
for step in range(40):
    x = torch.randn(16, 6)
    loss = nn.functional.mse_loss(model(x), x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
