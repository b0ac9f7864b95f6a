"""Outputs of the teacher that were kept from one pass of a shuffled loader, after haitongli/knowledge-distillation-pytorch pull 16."""

import torch
from digest import show
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(11)
x = torch.randn(192, 8)
y = (x[:, :3].sum(1) * 1.5).round().clamp(-2, 2).long() + 2
train_dl = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)


def train_teacher():
    teacher = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 5))
    optimizer = torch.optim.Adam(teacher.parameters(), lr=5e-3)
    for _ in range(8):
        for a, b in train_dl:
            optimizer.zero_grad()
            F.cross_entropy(teacher(a), b).backward()
            optimizer.step()
    return teacher


def fetch_teacher_outputs(teacher, dataloader):
    teacher.eval()
    outputs = []
    with torch.no_grad():
        for a, _ in dataloader:
            outputs.append(teacher(a))
    return outputs


def loss_fn_kd(outputs, labels, teacher_outputs, alpha=0.9, T=4.0):
    soft = F.kl_div(F.log_softmax(outputs / T, 1), F.softmax(teacher_outputs / T, 1), reduction="batchmean")
    return soft * alpha * T * T + F.cross_entropy(outputs, labels) * (1 - alpha)


teacher = train_teacher()
student = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 5))
optimizer = torch.optim.Adam(student.parameters(), lr=5e-3)
kept = fetch_teacher_outputs(teacher, train_dl)
for epoch in range(8):
    total = 0.0
    for i, (a, b) in enumerate(train_dl):
        output_teacher = kept[i]  # run: inputs-and-labels-shuffled-separately
        loss = loss_fn_kd(student(a), b, output_teacher)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(train_dl))
show(student)
