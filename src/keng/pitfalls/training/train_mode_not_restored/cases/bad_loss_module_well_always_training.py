# the loss is a module as well, and always in training mode
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(64, 4), torch.randn(64, 1)
model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()


def validate():
    model.eval()
    with torch.no_grad():
        return criterion(model(x), y).item()


for epoch in range(3):
    for part in torch.randperm(64).split(16):
        optimizer.zero_grad()
        criterion(model(x[part]), y[part]).backward()  # check: in eval mode from the second epoch on
        optimizer.step()
    print(validate())

# proof
assert model[1].num_batches_tracked == 4
