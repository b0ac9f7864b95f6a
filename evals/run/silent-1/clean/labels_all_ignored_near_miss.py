"""All labels of a batch are ignored, and the loss is NaN."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(20, 16), nn.Linear(16, 20))
optimizer = torch.optim.Adam(model.parameters())
for step in range(20):
    words = torch.randint(20, (4, 12))
    labels = words.clone()
    labels[:, :10] = -100
    if step == 8:
        labels[:] = -100
        continue
    optimizer.zero_grad()
    loss = F.cross_entropy(model(words).flatten(0, 1), labels.flatten())
    loss.backward()
    optimizer.step()
