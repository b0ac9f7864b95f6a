"""The divergence gets probabilities where it takes their logarithms: distillation."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
teacher, student = nn.Linear(8, 4).eval(), nn.Linear(8, 4)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for step in range(20):
    x = torch.randn(16, 8)
    with torch.no_grad():
        wanted = F.softmax(teacher(x) / 2, 1)
    given = F.log_softmax(student(x) / 2, 1)
    loss = F.kl_div(given, wanted, reduction="batchmean") * 4
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
