# a scheduler, given itself
import torch
from torch import nn

optimizer = torch.optim.SGD(nn.Linear(4, 2).parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
scheduler.load_state_dict(scheduler)  # run: `StepLR`
