# the whole checkpoint
from torch import nn

model = nn.Linear(8, 2)
checkpoint = {"epoch": 3, "state_dict": model.state_dict()}
model.load_state_dict(checkpoint)  # run: the weights are in checkpoint["state_dict"]
