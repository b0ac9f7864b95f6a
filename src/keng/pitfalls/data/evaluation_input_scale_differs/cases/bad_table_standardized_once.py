# a table whose test rows are not standardized
import torch
from torch import nn

torch.manual_seed(0)
rows = torch.randn(96, 5) * torch.tensor([20.0, 3.0, 900.0, 0.1, 7.0]) + torch.tensor([70.0, 40.0, 3e4, 8.0, -60.0])
x = (rows - rows.mean(0)) / rows.std(0)
y = x[:, :2].sum(1, keepdim=True)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(3):
    model.train()
    for part in range(0, 64, 16):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[part : part + 16]), y[part : part + 16]).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        error = (model(rows[64:]) - y[64:]).abs().mean()  # run: normalized in training and not in evaluation
