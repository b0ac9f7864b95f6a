# a path
from torch import nn

model = nn.Linear(4, 2)
model.load_state_dict("best.pt")  # run: `load_state_dict(torch.load(path))`
