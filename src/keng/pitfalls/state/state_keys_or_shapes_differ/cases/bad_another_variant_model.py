# another variant of the model
from torch import nn


def net(width):
    return nn.Sequential(nn.Linear(8, width), nn.Linear(width, width), nn.Linear(width, 2))


saved, model = net(24), net(16)
model.load_state_dict(saved.state_dict())  # run: every width is 24 in the file, 16 in the model
