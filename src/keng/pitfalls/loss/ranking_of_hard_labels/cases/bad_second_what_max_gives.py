# by the second of what `max` gives
import torch
from sklearn.metrics import roc_curve
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 2)
labels, targets = [], []
for _ in range(4):
    x, y = torch.randn(16, 4), torch.arange(16) % 2
    _, predicted = torch.max(model(x), 1)
    labels.append(predicted)
    targets.append(y)
fpr, tpr, _ = roc_curve(torch.cat(targets), torch.cat(labels))  # check: `torch.cat(labels)`

# proof
assert len(fpr) <= 3
