import numpy as np
import torch
from torch import nn

raw = np.array([0.0, 2.0, 1.0, 1.0, 0.0, 2.0])
labels = torch.from_numpy(raw.astype(np.int32))
signals = torch.randn(len(labels), 1, 64)

model = nn.Sequential(nn.Conv1d(1, 4, 9), nn.ReLU(), nn.AdaptiveMaxPool1d(1), nn.Flatten(), nn.Linear(4, 3))
weights = torch.tensor([1.0, 2.0, 1.0])
criterion = nn.CrossEntropyLoss(weight=weights)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer.zero_grad()
loss = criterion(model(signals), labels)
loss.backward()
optimizer.step()
