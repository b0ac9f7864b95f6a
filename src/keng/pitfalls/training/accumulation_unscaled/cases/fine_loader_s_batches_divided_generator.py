# the loss is divided; a generator and a discriminator; two losses; Adam, which normalizes by itself
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=4)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step, (x, y) in enumerate(loader):
    (F.mse_loss(model(x), y) / 4).backward()
    if (step + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
for x, y in loader:
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    F.l1_loss(model(-x), y).backward()
    optimizer.step()
for step, (x, y) in enumerate(loader):
    F.mse_loss(model(x), y).backward()
    if (step + 1) % 4 == 0:
        for p in model.parameters():
            p.grad /= 4
        optimizer.step()
        optimizer.zero_grad()
adam = torch.optim.Adam(model.parameters())
for step, (x, y) in enumerate(loader):
    F.mse_loss(model(x), y).backward()
    if step % 4 == 3:
        adam.step()
        adam.zero_grad()
