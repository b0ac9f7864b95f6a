# a tensor, a scripted model, an optimizer's state
import io

import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.save(model.weight, io.BytesIO())
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, io.BytesIO())
