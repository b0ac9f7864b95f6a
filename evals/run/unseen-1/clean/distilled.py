"""A teacher that was trained first, and a student by divergence of logarithms."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


def network(width):
    return nn.Sequential(nn.Linear(64, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, 10))


def fit(model, loss_of, steps):
    optimizer = torch.optim.Adam(model.parameters(), 3e-3)
    model.train()
    for _ in range(steps):
        part = torch.randint(len(x), (64,))
        loss = loss_of(model(x[part]), part)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    return loss.item()


def from_teacher(logits, part, heat=3.0):
    with torch.inference_mode():
        told = F.log_softmax(teacher(x[part]) / heat, -1)
    soft = F.kl_div(F.log_softmax(logits / heat, -1), told, reduction="batchmean", log_target=True)
    return heat**2 * soft + 0.1 * F.cross_entropy(logits, y[part])


torch.manual_seed(0)
x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x).float() / 16, torch.tensor(y)
teacher, student = network(64), network(12)
print(fit(teacher, lambda out, part: F.cross_entropy(out, y[part]), 120))
teacher.eval()
print(fit(student, from_teacher, 80))
show(teacher, student)
