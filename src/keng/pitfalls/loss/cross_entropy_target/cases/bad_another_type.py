# another type
import torch
from torch import nn

criterion = nn.CrossEntropyLoss()
scores, labels = torch.randn(4, 3), torch.tensor([0.0, 2.0, 1.0, 1.0])
loss = criterion(scores, labels)  # run: float labels
