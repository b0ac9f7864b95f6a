# a scheduler for the optimizer
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import StepLR

scheduler = StepLR(SGD(nn.Linear(2, 2).parameters(), lr=0.1), 5)
scheduler.zero_grad()  # run: `zero_grad` is asked of StepLR
