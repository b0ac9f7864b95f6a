"""A teacher that is an exponential moving average of the student, run in train mode without gradients."""

import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2))
        self.head = nn.Linear(32, 3)

    def forward(self, x):
        return self.head(self.body(x))


student = Net()
teacher = copy.deepcopy(student)
for p in teacher.parameters():
    p.requires_grad_(False)
optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, nesterov=True)
labelled = torch.utils.data.TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
loader = torch.utils.data.DataLoader(labelled, batch_size=16, shuffle=True)
for epoch in range(3):
    student.train()
    teacher.train()
    for x, y in loader:
        unlabelled = torch.randn(16, 8)
        with torch.no_grad():
            target = F.softmax(teacher(unlabelled), dim=1)
        prediction = F.softmax(student(unlabelled + 0.1 * torch.randn_like(unlabelled)), dim=1)
        loss = F.cross_entropy(student(x), y) + 0.5 * F.mse_loss(prediction, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for p, q in zip(teacher.parameters(), student.parameters()):
                p.mul_(0.99).add_(q, alpha=0.01)
    teacher.eval()
    with torch.no_grad():
        correct = sum((teacher(x).argmax(1) == y).sum().item() for x, y in loader)
