# only the trainable parameters of a model with a new head
import torch
from torch import nn

model = nn.Sequential()
model.body, model.head = nn.Linear(4, 8), nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(2, 4)).sum().backward()
optimizer.step()
model.requires_grad_(False)
model.head = nn.Linear(8, 3)
learned = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.SGD(learned, lr=0.1)
model(torch.randn(2, 4)).sum().backward()
optimizer.step()
