"""A language model's classes stand last, where cross-entropy takes the second: as many words as places."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(16, 32), nn.Linear(32, 16))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
for step in range(20):
    words = torch.randint(16, (4, 16))
    loss = F.cross_entropy(model(words), words)  # run: cross-entropy-target
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
