# your own scheduler
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import StepLR


class Told(StepLR):
    def __init__(self, optimizer, step_size, verbose=False):
        super().__init__(optimizer, step_size)
        self.verbose = verbose


scheduler = Told(SGD(nn.Linear(2, 2).parameters(), lr=0.1), 10, verbose=True)
