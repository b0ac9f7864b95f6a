"""Distillation whose divergence has student and teacher in each other's places."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


def network(width, depth):
    layers, inside = [], 64
    for _ in range(depth):
        layers += [nn.Linear(inside, width), nn.ReLU()]
        inside = width
    return nn.Sequential(*layers, nn.Linear(inside, 10))


class DistillationLoss(nn.Module):
    def __init__(self, temperature=4.0, alpha=0.7):
        super().__init__()
        self.t, self.alpha = temperature, alpha

    def forward(self, student, teacher, labels):
        hard = F.cross_entropy(student, labels)
        log_p = F.log_softmax(teacher / self.t, dim=1)
        q = F.softmax(student / self.t, dim=1)
        soft = F.kl_div(log_p, q, reduction="batchmean") * self.t**2  # run: -
        return self.alpha * soft + (1 - self.alpha) * hard


def pretrain(teacher, loader, epochs=2):
    optimizer = torch.optim.Adam(teacher.parameters(), 2e-3)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(teacher(x), y).backward()
            optimizer.step()
    return teacher.eval().requires_grad_(False)


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32) / 16, torch.tensor(digits.target)
loader = DataLoader(TensorDataset(x[:1400], y[:1400]), 64, shuffle=True)
teacher = pretrain(network(96, 2), loader)
student, criterion = network(16, 1), DistillationLoss()
optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
for epoch in range(3):
    student.train()
    for images, labels in loader:
        with torch.no_grad():
            taught = teacher(images)
        loss = criterion(student(images), taught, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    student.eval()
    with torch.inference_mode():
        print(epoch, f"{(student(x[1400:]).argmax(1) == y[1400:]).float().mean():.3f}")
show(student)
