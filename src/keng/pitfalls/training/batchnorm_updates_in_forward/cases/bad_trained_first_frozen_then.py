# trained first, and frozen then
import torch
from torch import nn


def fit(model, rounds):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(rounds):
        x = torch.randn(16, 4)
        optimizer.zero_grad()
        (model(x) - x).square().mean().backward()
        optimizer.step()


torch.manual_seed(0)
teacher = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 4))
student = nn.Linear(4, 4)
fit(teacher, 5)
for parameter in teacher.parameters():
    parameter.requires_grad = False
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for step in range(4):
    x = torch.randn(16, 4)
    with torch.no_grad():
        target = teacher(x)  # check: it is in training mode still
    optimizer.zero_grad()
    (student(x) - target).square().mean().backward()
    optimizer.step()
