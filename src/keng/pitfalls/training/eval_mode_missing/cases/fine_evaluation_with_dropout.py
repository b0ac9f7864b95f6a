# Monte Carlo dropout in a function that evaluates, batch statistics, a training part of its own
import torch
from torch import nn


def evaluate_with_dropout(model, batches):
    model.train()
    scores = []
    for points, _ in batches:
        scores.append(torch.stack([model(points) for _ in range(5)]).std(0))
    return scores


def evaluate(model, batches):
    model.eval()
    total = 0.0
    for points, labels in batches:
        total += nn.functional.mse_loss(model(points), labels).item()
    model.train()
    return total


def test_time_training(model, batches, optimizer):
    model.train()
    for points, labels in batches:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(points), labels).backward()
        optimizer.step()


model = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [(torch.rand(4, 3), torch.rand(4, 1)) for _ in range(2)]
test_time_training(model, batches, optimizer)
with torch.no_grad():
    spread, total = evaluate_with_dropout(model, batches), evaluate(model, batches)
