# A text
from torch import nn
from torch.optim import Adam

config = {"lr": "1e-3"}
optimizer = Adam(nn.Linear(2, 2).parameters(), lr=config["lr"])  # run: `lr` is a text
