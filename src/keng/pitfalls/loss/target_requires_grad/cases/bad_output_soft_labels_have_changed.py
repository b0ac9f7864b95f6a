# output and soft labels have changed places
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 4)
labels = F.one_hot(torch.randint(4, (16,)), 4).float()
loss = F.cross_entropy(labels, model(torch.randn(16, 8)))  # run: they have changed places
loss.backward()
