# soft targets, which must be probabilities
import torch
import torch.nn.functional as F
from torch import nn

student, teacher = nn.Linear(8, 3), nn.Linear(8, 3)
x = torch.randn(16, 8)
with torch.no_grad():
    target = F.softmax(teacher(x), dim=1)
F.cross_entropy(student(x), target).backward()
