"""A layer whose gradients are set to zero is moved by momentum and decay."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.1)
for step in range(30):
    optimizer.zero_grad()
    F.cross_entropy(model(torch.randn(16, 8)), torch.randint(3, (16,))).backward()
    for parameter in model[0].parameters():
        parameter.grad.zero_()
    optimizer.step()  # run: weight-decay-on-idle-parameters
