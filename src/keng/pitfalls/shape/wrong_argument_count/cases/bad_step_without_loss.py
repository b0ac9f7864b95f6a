# a step without the loss
import torch
from torch import nn

optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
scheduler.step()  # run: `scheduler.step(loss)`
