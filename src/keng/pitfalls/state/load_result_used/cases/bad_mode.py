# a mode
from torch import nn

weights = nn.Linear(2, 2).state_dict()
model = nn.Linear(2, 2).load_state_dict(weights)
model.eval()  # run: a line of its own
