# cross-entropy of one column
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
criterion = nn.CrossEntropyLoss()
x, labels = torch.randn(6, 4), torch.randint(2, (6, 1)).float()
scores = model(x)
loss = criterion(scores, labels)  # check: one column
loss.backward()

# proof
assert loss == 0
