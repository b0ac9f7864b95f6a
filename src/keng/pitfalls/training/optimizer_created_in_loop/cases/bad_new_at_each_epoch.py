# the function that trains one epoch creates its optimizer
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=16)
first = []


def epoch():
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)  # run: 4 passes over the data
    for number, (x, y) in enumerate(loader):
        before = model.bias.detach().clone()
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        if number == 0:
            first.append((model.bias - before).abs().item())


for _ in range(5):
    epoch()
# proof
assert all(abs(moved - 0.01) < 1e-4 for moved in first)
