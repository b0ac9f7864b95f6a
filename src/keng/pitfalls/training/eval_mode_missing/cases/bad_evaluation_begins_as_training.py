# the function that evaluates begins as the one that trains
import torch
from torch import nn


def train_one_epoch(model, batches, optimizer):
    model.train()
    for points, labels in batches:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(points), labels).backward()
        optimizer.step()


def evaluate(model, batches):
    model.train()  # check: `model.train()`
    total = 0.0
    for points, labels in batches:
        total += nn.functional.mse_loss(model(points), labels).item()
    return total


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [(torch.rand(4, 3), torch.rand(4, 1)) for _ in range(2)]
train_one_epoch(model, batches, optimizer)
with torch.no_grad():
    first, second = evaluate(model, batches), evaluate(model, batches)

# proof
assert first != second
