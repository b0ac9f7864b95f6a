# a negative label and one too many
import torch
from torch import nn

model = nn.Linear(8, 3)
scores = model(torch.randn(3, 8))
loss = nn.functional.cross_entropy(scores, torch.tensor([-1, 1, 3]))  # run: `A negative label`
