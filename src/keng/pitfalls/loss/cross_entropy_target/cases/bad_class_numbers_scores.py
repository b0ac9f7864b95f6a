# class numbers for scores
import torch
from torch import nn

scores, labels = torch.randn(4, 3), torch.tensor([0, 2, 1, 1])
loss = nn.CrossEntropyLoss()(scores.argmax(1), labels)  # run: `the outputs before argmax`
