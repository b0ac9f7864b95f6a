# one number for a list
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import MultiStepLR

optimizer = SGD(nn.Linear(2, 2).parameters(), lr=0.1)
scheduler = MultiStepLR(optimizer, 30)  # run: `milestones=[30]`
