"""Gradients are clipped after the step."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.LSTM(8, 16, batch_first=True)
head = nn.Linear(16, 3)
parameters = [*model.parameters(), *head.parameters()]
optimizer = torch.optim.Adam(parameters)
for step in range(20):
    optimizer.zero_grad()
    out, _ = model(torch.randn(8, 12, 8))
    F.cross_entropy(head(out[:, -1]), torch.randint(3, (8,))).backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(parameters, 1.0)  # run: clipped-too-late
