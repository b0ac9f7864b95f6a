# an assignment to a part
import torch
from torch import nn

model = nn.Linear(4, 4)
gate = torch.sigmoid(model(torch.randn(2, 4)))
gate[:, 0] = 0  # run: sigmoid kept its result
gate.sum().backward()
