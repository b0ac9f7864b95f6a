# two classes of one output
import torch
from torch import nn

model = nn.Linear(8, 1)
scores, labels = model(torch.randn(3, 8)), torch.tensor([0, 1, 0])
loss = nn.functional.cross_entropy(scores, labels)  # run: `BCEWithLogitsLoss`
