"""A teacher's soft labels on unlabelled digits train a small student, after microsoft/ProDA issue 20."""

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(8)
np.random.seed(8)
DISTILLATION, TEMPERATURE = 2.0, 2.0


def digits():
    data = load_digits()
    x, rest, y, rest_y = train_test_split(data.images[:, None] / 16.0, data.target, train_size=1200, random_state=8, stratify=data.target)
    as_float = lambda each: torch.tensor(each, dtype=torch.float32)
    return as_float(x), torch.tensor(y), as_float(rest), torch.tensor(rest_y)


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.classifier = nn.Sequential(nn.Flatten(), nn.Linear(512, 64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 10))

    def forward(self, x):
        return {"out": self.classifier(self.features(x))}


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(64, 24), nn.ReLU(), nn.Linear(24, 10))

    def forward(self, x):
        return {"out": self.net(x)}


@torch.no_grad()
def evaluate(model, teacher, x, y):
    model.eval()
    log_p = F.log_softmax(model(x)["out"], 1)
    log_q = F.log_softmax(teacher(x)["out"], 1)
    divergence = (log_q.exp() * (log_q - log_p)).sum(1).mean().item()
    model.train()
    return (log_p.argmax(1) == y).float().mean().item(), F.nll_loss(log_p, y).item(), divergence


def train_teacher(teacher, loader):
    optimizer = torch.optim.Adam(teacher.parameters(), lr=2e-3)
    for _ in range(6):
        for x, y in loader:
            loss = F.cross_entropy(teacher(x)["out"], y, label_smoothing=0.1)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


x, y, test_x, test_y = digits()
loader = DataLoader(TensorDataset(x, y), batch_size=40, shuffle=True)
teacher = Teacher()
train_teacher(teacher, loader)
teacher.eval().requires_grad_(False)
print("teacher", evaluate(teacher, teacher, test_x, test_y)[:2])
teacher.eval()

student = Student()
optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
for epoch in range(20):
    for batch_x, batch_y in loader:
        target_out = student(batch_x)
        student_p = F.log_softmax(target_out["out"] / TEMPERATURE, dim=1)
        with torch.no_grad():
            teacher_p = F.softmax(teacher(batch_x)["out"] / TEMPERATURE, dim=1)
        loss_kd = F.kl_div(student_p, teacher_p, reduction="none").sum(1).mean()
        loss = DISTILLATION * loss_kd * TEMPERATURE**2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 5 == 4:
        accuracy, nll, divergence = evaluate(student, teacher, test_x, test_y)
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.4f} NLL {nll:.4f}")
accuracy, nll, divergence = evaluate(student, teacher, test_x, test_y)
print(f"test accuracy {accuracy:.4f} NLL {nll:.4f} divergence from the teacher {divergence:.4f}")
print(f"checksum {sum(p.double().sum() for p in student.parameters()).item():.6f}")
