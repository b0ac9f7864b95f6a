# switched back at the end, in the training function, or to the former mode
import torch
from torch import nn
from torch.utils.data import DataLoader

data = list(torch.randn(16, 4))
loader = DataLoader(data, batch_size=8)
model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def evaluate(model):
    was = model.training
    model.eval()
    with torch.no_grad():
        total = sum(model(x).square().mean().item() for x in loader)
    model.train(was)
    return total


for epoch in range(2):
    for x in loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
    evaluate(model)
for epoch in range(2):
    for x in loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
    model.eval()
    model(data[0])
    model.train()
