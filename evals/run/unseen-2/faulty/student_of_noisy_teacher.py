"""A trained teacher is asked in training mode: dropout blurs it and its statistics move."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


def net(width, drop):
    return nn.Sequential(
        nn.Linear(64, width),
        nn.BatchNorm1d(width),
        nn.ReLU(),
        nn.Dropout(drop),
        nn.Linear(width, 10),
    )


def fit(model, x, y, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for _ in range(epochs):
        model.train()
        for part in torch.randperm(len(x)).split(100):
            optimizer.zero_grad()
            F.cross_entropy(model(x[part]), y[part]).backward()
            optimizer.step()


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data).float() / 16, torch.tensor(digits.target)
teacher, student = net(128, 0.5), net(16, 0.0)
fit(teacher, x[:1000], y[:1000], 4)
for parameter in teacher.parameters():
    parameter.requires_grad = False
optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
for epoch in range(4):
    for part in torch.randperm(1000).split(100):
        with torch.no_grad():
            soft = F.softmax(teacher(x[part]) / 3, 1)  # run: batchnorm-updates-in-forward
        scores = student(x[part])
        loss = 9 * F.kl_div(F.log_softmax(scores / 3, 1), soft, reduction="batchmean")
        loss = loss + F.cross_entropy(scores, y[part])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"{loss.item():.4f}")
student.eval()
with torch.no_grad():
    print((student(x[1000:]).argmax(1) == y[1000:]).float().mean().item())
show(teacher, student)
