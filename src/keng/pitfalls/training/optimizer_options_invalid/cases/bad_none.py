# None
from torch import nn
from torch.optim import SGD

config = {"lr": 0.1}
momentum = config.get("momentum")
optimizer = SGD(nn.Linear(2, 2).parameters(), 0.1, momentum)  # run: `momentum` is None
