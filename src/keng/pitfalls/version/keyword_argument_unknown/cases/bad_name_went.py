# a name that went
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import StepLR

optimizer = SGD(nn.Linear(2, 2).parameters(), lr=0.1)
scheduler = StepLR(optimizer, 10, verbose=True)  # check: scheduler.get_last_lr()
