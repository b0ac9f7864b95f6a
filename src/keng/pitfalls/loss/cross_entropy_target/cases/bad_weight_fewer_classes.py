# a weight for fewer classes
import torch
from torch import nn

criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 5.0]))
scores, labels = torch.randn(4, 3), torch.tensor([0, 2, 1, 1])
loss = criterion(scores, labels)  # run: 2 weights for 3 classes
