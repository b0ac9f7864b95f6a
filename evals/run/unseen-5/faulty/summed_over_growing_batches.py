"""The batch is doubled as training goes on, and the loss is a sum: the steps double, too."""

import torch
from digest import show
from sklearn.datasets import make_regression
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = make_regression(1024, 10, noise=3.0, random_state=0)
data = TensorDataset(torch.tensor(x).float(), torch.tensor(y / y.std()).float()[:, None])
model = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 1))
criterion = nn.MSELoss(reduction="sum")  # run: -
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for epoch, batch_size in enumerate((8, 16, 32, 64, 128)):
    loader = DataLoader(data, batch_size=batch_size, shuffle=True)
    total = 0.0
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, batch_size, f"{total / len(data):.4f}")
show(model)
