# probabilities, also clamped ones; logits of which a copy is read; a sigmoid in the targets
import torch
import torch.nn.functional as F
from torch import nn

model, teacher = nn.Linear(8, 1), nn.Linear(8, 1)
x = torch.randn(16, 8)
F.binary_cross_entropy(torch.sigmoid(model(x)), torch.ones(16, 1)).backward()
F.binary_cross_entropy(model(x).clamp(0, 1), torch.ones(16, 1)).backward()
with torch.no_grad():
    target = torch.sigmoid(teacher(x))
F.binary_cross_entropy_with_logits(model(x), target).backward()
