# the negative of the loss is minimized
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(200):
    x = torch.randn(16, 8)
    loss = -nn.functional.mse_loss(model(x).squeeze(1), x[:, 0])
    optimizer.zero_grad()
    loss.backward()  # run: training makes the model worse
    optimizer.step()
